import type { Alarm, AlarmPriority } from "@mulkko/shared/live/alarm";

/** The worst of what is wrong with each thing now, by the key that it is about; what was put off is not shouted. */
export function alarmsByKey(alarms: Iterable<Alarm>): Map<string, AlarmPriority> {
  const worst = new Map<string, AlarmPriority>();
  for (const { key, priority, active, snooze } of alarms) {
    if (!active || snooze !== null) continue;
    const known = worst.get(key);
    if (known === undefined || priority < known) worst.set(key, priority);
  }
  return worst;
}

import type { Alarm, AlarmPriority } from "@mulkko/shared/live/alarm";

/** Return the worst active alarm of each object, by its key; snoozed alarms are excluded. */
export function alarmsByKey(alarms: Iterable<Alarm>): Map<string, AlarmPriority> {
  const worst = new Map<string, AlarmPriority>();
  for (const { key, priority, active, snooze } of alarms) {
    if (!active || snooze !== null) continue;
    const known = worst.get(key);
    if (known === undefined || priority < known) worst.set(key, priority);
  }
  return worst;
}

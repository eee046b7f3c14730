import type { Alarm, AlarmPriority } from "@mulkko/shared/live/alarm";
import { useLiveSelection } from "../../live/hooks.ts";

const ALARMS = ["alarm"] as const;

/**
 * Return the worst active alarm of any of some objects, and follow it; null: none. @param keys such as
 * `sensor:12`
 */
export function useAlarmOf(keys: readonly string[]): AlarmPriority | null {
  return useLiveSelection(ALARMS, ({ alarms }) => {
    const worst = alarmsByKey(alarms.values());
    return keys.reduce<AlarmPriority | null>((found, key) => {
      const here = worst.get(key) ?? null;
      return here === null || (found !== null && found <= here) ? found : here;
    }, null);
  });
}

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

import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import { useCallback } from "react";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { alarmsByKey } from "./alarm-keys.ts";

const ALARMS = ["alarm"] as const;

/** The worst that is wrong with any of some things now, followed; null: nothing. @param keys such as `sensor:12`, a list that stays the same */
export function useAlarmOf(keys: readonly string[]): AlarmPriority | null {
  return useLiveSelection(
    ALARMS,
    useCallback(
      ({ alarms }: LiveFarm) => {
        const worst = alarmsByKey(alarms.values());
        return keys.reduce<AlarmPriority | null>((found, key) => {
          const here = worst.get(key) ?? null;
          return here === null || (found !== null && found <= here) ? found : here;
        }, null);
      },
      [keys],
    ),
  );
}

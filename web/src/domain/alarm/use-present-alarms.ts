import type { Alarm } from "@mulkko/shared/live/alarm";
import { useMemo } from "react";
import { type LiveFarm, useLiveSelection, useServerTime } from "../../live/hooks.ts";
import {
  type AlarmNews,
  alarmLines,
  alarmNews,
  hasLeftStrip,
  inOrder,
  type PresentAlarm,
} from "./present-alarms.ts";

const ALARMS = ["alarm"] as const;

const ordered = ({ alarms }: LiveFarm): readonly Alarm[] => inOrder(alarms.values());

/** Alarm objects are immutable, so identical objects mean an identical list. */
const sameList = (a: readonly Alarm[], b: readonly Alarm[]): boolean =>
  a.length === b.length && a.every((alarm, index) => alarm === b[index]);

/** Return the active and the unacknowledged alarms in order, grouped by cause in a flood (ALM-5). */
export function usePresentAlarms(): readonly PresentAlarm[] {
  const alarms = useLiveSelection(ALARMS, ordered, sameList);
  return useMemo(() => alarmLines(alarms), [alarms]);
}

/** Select the alarm strip's content; null for none. A finished alarm is left out after one minute. */
export function useAlarmNews(): AlarmNews | null {
  const alarms = useLiveSelection(ALARMS, ordered, sameList);
  const shown = useServerTime((now) =>
    alarms.flatMap((alarm) => (hasLeftStrip(alarm, now) ? [] : [alarm.id])).join("\n"),
  );
  return useMemo(() => {
    const ids = new Set(shown.split("\n"));
    return alarmNews(alarms.filter(({ id }) => ids.has(id)));
  }, [alarms, shown]);
}

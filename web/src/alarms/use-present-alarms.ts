import type { Alarm } from "@mulkko/shared/live/alarm";
import { useMemo } from "react";
import { type LiveFarm, useLiveSelection, useServerTime } from "../live/hooks.ts";
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

/** Alarms are replaced, never changed, so that the same objects are the same list. */
const sameList = (a: readonly Alarm[], b: readonly Alarm[]): boolean =>
  a.length === b.length && a.every((alarm, index) => alarm === b[index]);

/** What is wrong now, or was and nobody has seen it: in order, and in a flood by cause (ALM-5). */
export function usePresentAlarms(): readonly PresentAlarm[] {
  const alarms = useLiveSelection(ALARMS, ordered, sameList);
  return useMemo(() => alarmLines(alarms), [alarms]);
}

/** Select the alarm strip's content; null: none. A finished alarm is left out once its minute is over. */
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

import type { Alarm } from "@mulkko/shared/live/alarm";
import { useMemo } from "react";
import { type LiveFarm, useLiveSelection } from "../live/hooks.ts";
import { type AlarmNews, alarmLines, alarmNews, inOrder, type PresentAlarm } from "./present-alarms.ts";

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

const newsOf = (farm: LiveFarm): AlarmNews | null => alarmNews(ordered(farm));

const sameNews = (a: AlarmNews | null, b: AlarmNews | null): boolean =>
  a === b || (a?.worst === b?.worst && a?.more === b?.more);

/** What the alarm strip tells; null: nothing. */
export function useAlarmNews(): AlarmNews | null {
  return useLiveSelection(ALARMS, newsOf, sameNews);
}

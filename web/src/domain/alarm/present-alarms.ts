import type { Alarm, AlarmType } from "@mulkko/shared/live/alarm";
import { useMemo } from "react";
import { type LiveFarm, useLiveSelection, useServerTime } from "../../live/hooks.ts";

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

/** Path of the alarm list. */
export const ALARMS_PATH = "/alarms";

/** Number of alarms within a period that count as a flood and are grouped by cause (ALM-5). */
export const FLOOD = { from: 10, withinMs: 10 * 60_000 } as const;

/** Line of the list: one alarm, or in a flood all alarms of one cause, most urgent first. */
export interface PresentAlarm {
  readonly id: string;
  readonly alarms: readonly [Alarm, ...Alarm[]];
}

/**
 * Milliseconds until a finished alarm leaves the strip. It stays in the list until it is acknowledged
 * (ALM-2).
 */
export const CLEARED_SHOWN_MS = 60_000;

/** Rank of each type among alarms of one priority, gravest first: running water before a missing answer. */
const GRAVITY: Readonly<Record<AlarmType, number>> = {
  "not-storing": 1,
  "open-too-long": 1,
  "controller-offline-watering": 2,
  "command-failed": 3,
  "command-unconfirmed": 4,
  "late-opening": 5,
  "external-open": 5,
  "no-access": 6,
  "upstream-down": 6,
  "farm-link": 6,
  "out-of-bounds": 7,
  "controller-offline": 6,
  offline: 8,
  "broker-down": 8,
  "no-rise": 9,
  device: 9,
  battery: 9,
  rssi: 9,
  notice: 9,
  "clock-wrong": 9,
};

/** Alarms about silence; their detail contains the time of the last report. */
const SILENT: readonly AlarmType[] = ["offline", "controller-offline", "controller-offline-watering"];

/**
 * Return the instant from which an alarm's age counts. A silence begins with the last report of its device,
 * however late the relay detects it. A late reading from last week does not restart it.
 */
export function beganAt({ type, detail, raisedAt }: Alarm): string {
  const since = SILENT.includes(type) ? detail?.since : undefined;
  return typeof since === "string" && Date.parse(since) < Date.parse(raisedAt) ? since : raisedAt;
}

/** The instant from which the age of these alarms counts: of several, the newest. */
export function lineBeganAt({ alarms }: Pick<PresentAlarm, "alarms">): string {
  return new Date(Math.max(...alarms.map((alarm) => Date.parse(beganAt(alarm))))).toISOString();
}

/** Return true if the alarm is snoozed. The relay ends the snooze (ALM-3). */
const isSnoozed = (alarm: Alarm): boolean => alarm.snooze !== null;

/** Sort snoozed alarms last, then active before finished, by priority, by gravity, newest first. */
function byUrgency(a: Alarm, b: Alarm): number {
  if (isSnoozed(a) !== isSnoozed(b)) return isSnoozed(a) ? 1 : -1;
  if (a.active !== b.active) return a.active ? -1 : 1;
  return (
    a.priority - b.priority ||
    GRAVITY[a.type] - GRAVITY[b.type] ||
    Date.parse(b.raisedAt) - Date.parse(a.raisedAt) ||
    (a.id < b.id ? -1 : 1)
  );
}

/** Return these alarms, most urgent first. */
export function inOrder<A extends Alarm>(alarms: Iterable<A>): readonly A[] {
  return [...alarms].sort(byUrgency);
}

/**
 * Return true if ten of them began within ten minutes (ALM-5). It stays true until those are over, so that
 * the list does not regroup while the user works through it.
 */
export function isFlood(alarms: readonly Alarm[]): boolean {
  const begins = alarms
    .filter((alarm) => !isSnoozed(alarm))
    .map(({ raisedAt }) => Date.parse(raisedAt))
    .sort((a, b) => a - b);
  return begins.some((begin, index) => {
    const last = begins[index + FLOOD.from - 1];
    return last !== undefined && last - begin <= FLOOD.withinMs;
  });
}

/** Return the line of a single alarm. */
export const asOne = (alarm: Alarm): PresentAlarm => ({ id: alarm.id, alarms: [alarm] });

/**
 * Return the lines of a list: each alarm, or in a flood each cause with its count. Snoozed alarms stay
 * separate.
 */
export function alarmLines(ordered: readonly Alarm[]): readonly PresentAlarm[] {
  if (!isFlood(ordered)) return ordered.map(asOne);
  const causes = new Map<AlarmType, [Alarm, ...Alarm[]]>();
  for (const alarm of ordered) {
    if (isSnoozed(alarm)) continue;
    const cause = causes.get(alarm.type);
    if (cause) cause.push(alarm);
    else causes.set(alarm.type, [alarm]);
  }
  const lines = [...causes].map(([type, alarms]) => ({
    id: alarms.length === 1 ? alarms[0].id : type,
    alarms,
  }));
  return [...lines, ...ordered.filter(isSnoozed).map(asOne)];
}

/** Content of the strip: the worst unacknowledged alarm and the number of further ones. */
export interface AlarmNews<A extends Alarm = Alarm> {
  readonly worst: A;
  readonly more: number;
}

/**
 * Return true for a finished alarm that no longer needs attention. @param now ms UTC, on the server's clock
 */
export const hasLeftStrip = ({ active, clearedAt }: Alarm, now: number): boolean =>
  !active && clearedAt !== null && now - Date.parse(clearedAt) >= CLEARED_SHOWN_MS;

/**
 * Select what the strip shows: the worst unacknowledged alarm, and a P1 for as long as it is active. Null for
 * none.
 * The caller leaves finished alarms out ({@link hasLeftStrip}).
 */
export function alarmNews<A extends Alarm>(ordered: readonly A[]): AlarmNews<A> | null {
  const shown = ordered.filter(
    (alarm) => !isSnoozed(alarm) && (alarm.ack === null || (alarm.active && alarm.priority === 1)),
  );
  const worst = shown.find(({ ack }) => ack === null) ?? shown[0];
  return worst === undefined ? null : { worst, more: shown.length - 1 };
}

/**
 * Return true if the strip shows this alarm, which may be newer than the others.
 *
 * @param others alarms of the account, with or without it
 */
export function isInStrip(alarm: Alarm, others: Iterable<Alarm>): boolean {
  const all = [...others].filter(({ id }) => id !== alarm.id);
  return alarmNews(inOrder([...all, alarm]))?.worst.id === alarm.id;
}

/** Return true for an active, unacknowledged P1. */
export const isUrgent = (alarm: Alarm): boolean => alarm.priority === 1 && alarm.active && alarm.ack === null;

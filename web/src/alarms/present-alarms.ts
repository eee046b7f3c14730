import type { Alarm, AlarmType } from "@mulkko/shared/live/alarm";

/** Where all alarms stand. */
export const ALARMS_PATH = "/alarms";

/** So many alarms raised so shortly after one another are a flood, and stand under their causes (ALM-5). */
export const FLOOD = { from: 10, withinMs: 10 * 60_000 } as const;

/** What a line of the list is: one alarm, or in a flood all of one cause, the most urgent first. */
export type PresentAlarm =
  | { readonly kind: "one"; readonly id: string; readonly alarm: Alarm }
  | { readonly kind: "group"; readonly id: string; readonly alarms: readonly [Alarm, ...Alarm[]] };

/** True once a person put it off; the relay wakes it (ALM-3). */
const isPutOff = (alarm: Alarm): boolean => alarm.snooze !== null;

/** What is put off last; then what still is so, the most urgent, the newest. */
function byUrgency(a: Alarm, b: Alarm): number {
  if (isPutOff(a) !== isPutOff(b)) return isPutOff(a) ? 1 : -1;
  if (a.active !== b.active) return a.active ? -1 : 1;
  return a.priority - b.priority || Date.parse(b.raisedAt) - Date.parse(a.raisedAt) || (a.id < b.id ? -1 : 1);
}

/** The alarms of the account in the order in which they want to be looked at. */
export function inOrder(alarms: Iterable<Alarm>): readonly Alarm[] {
  return [...alarms].sort(byUrgency);
}

/**
 * True if ten of them began within ten minutes (ALM-5). It stays so until those are over: the list does not fall
 * apart under the finger of who works through it.
 */
export function isFlood(alarms: readonly Alarm[]): boolean {
  const begins = alarms
    .filter((alarm) => !isPutOff(alarm))
    .map(({ raisedAt }) => Date.parse(raisedAt))
    .sort((a, b) => a - b);
  return begins.some((begin, index) => {
    const last = begins[index + FLOOD.from - 1];
    return last !== undefined && last - begin <= FLOOD.withinMs;
  });
}

const asOne = (alarm: Alarm): PresentAlarm => ({ kind: "one", id: alarm.id, alarm });

/** The lines of a list: each alarm, or in a flood each cause with its number; what is put off stays by itself. */
export function alarmLines(ordered: readonly Alarm[]): readonly PresentAlarm[] {
  if (!isFlood(ordered)) return ordered.map(asOne);
  const causes = new Map<AlarmType, [Alarm, ...Alarm[]]>();
  for (const alarm of ordered) {
    if (isPutOff(alarm)) continue;
    const cause = causes.get(alarm.type);
    if (cause) cause.push(alarm);
    else causes.set(alarm.type, [alarm]);
  }
  const lines = [...causes].map(
    ([type, alarms]): PresentAlarm =>
      alarms.length === 1 ? asOne(alarms[0]) : { kind: "group", id: type, alarms },
  );
  return [...lines, ...ordered.filter(isPutOff).map(asOne)];
}

/** What stands over every page: the worst that nobody has seen, and how many more there are. */
export interface AlarmNews {
  readonly worst: Alarm;
  readonly more: number;
}

/**
 * What a person has to be told wherever they are: what nobody has acknowledged, and the most urgent as long as it is
 * so. Null where there is nothing of the kind.
 */
export function alarmNews(ordered: readonly Alarm[]): AlarmNews | null {
  const telling = ordered.filter(
    (alarm) => !isPutOff(alarm) && (alarm.ack === null || (alarm.active && alarm.priority === 1)),
  );
  const worst = telling.find(({ ack }) => ack === null) ?? telling[0];
  return worst === undefined ? null : { worst, more: telling.length - 1 };
}

/** True for what must not be overlooked: a P1 that is so and that nobody has seen. */
export const isUrgent = (alarm: Alarm): boolean => alarm.priority === 1 && alarm.active && alarm.ack === null;

import type { Alarm, AlarmType } from "@mulkko/shared/live/alarm";

/** Where all alarms stand. */
export const ALARMS_PATH = "/alarms";

/** So many alarms raised so shortly after one another are a flood, and stand under their causes (ALM-5). */
export const FLOOD = { from: 10, withinMs: 10 * 60_000 } as const;

/** What a line of the list is: one alarm, or in a flood all of one cause, the most urgent first. */
export type PresentAlarm =
  | { readonly kind: "one"; readonly id: string; readonly alarm: Alarm }
  | { readonly kind: "group"; readonly id: string; readonly alarms: readonly [Alarm, ...Alarm[]] };

/** A finished alarm leaves the strip after this long, ms: it stays in the list until it is acknowledged (ALM-2). */
export const CLEARED_SHOWN_MS = 60_000;

/** How grave each type is among alarms of one priority, gravest first: running water before a missing answer. */
const GRAVITY: Readonly<Record<AlarmType, number>> = {
  "not-storing": 1,
  "open-too-long": 1,
  "controller-offline-watering": 2,
  "command-failed": 3,
  "command-unconfirmed": 4,
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
};

/** True once a person put it off; the relay wakes it (ALM-3). */
const isPutOff = (alarm: Alarm): boolean => alarm.snooze !== null;

/** Snoozed alarms last; then active ones, by priority, by gravity, newest first. */
function byUrgency(a: Alarm, b: Alarm): number {
  if (isPutOff(a) !== isPutOff(b)) return isPutOff(a) ? 1 : -1;
  if (a.active !== b.active) return a.active ? -1 : 1;
  return (
    a.priority - b.priority ||
    GRAVITY[a.type] - GRAVITY[b.type] ||
    Date.parse(b.raisedAt) - Date.parse(a.raisedAt) ||
    (a.id < b.id ? -1 : 1)
  );
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

/** True for a finished alarm that no longer asks for attention. @param now ms UTC, on the server's clock */
export const hasLeftStrip = ({ active, clearedAt }: Alarm, now: number): boolean =>
  !active && clearedAt !== null && now - Date.parse(clearedAt) >= CLEARED_SHOWN_MS;

/**
 * Select what the strip shows: the worst unacknowledged alarm, and a P1 for as long as it is active. Null for none.
 * Finished alarms are the caller's to leave out ({@link hasLeftStrip}).
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

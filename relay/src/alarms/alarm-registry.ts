import type { Acknowledgement, Alarm, AlarmType } from "@mulkko/shared/live/alarm";
import { SNOOZE_AT_MOST_MS } from "@mulkko/shared/rest/alarm";
import type { AlarmName } from "../account/thing-name.ts";
import {
  acknowledged,
  adjusted,
  type Condition,
  cleared,
  isOver,
  raised,
  raisedAgain,
  snoozeEnd,
} from "./alarm.ts";
import type { AlarmRefusal } from "./alarm-calls.ts";

/**
 * Upper bound of present alarms of one account. Past alarms share the rest of the store; the oldest cleared
 * alarms are evicted.
 */
export const ALARMS_AT_MOST = 800;

/**
 * Result of a step. `reported` deserves an event; `gone` has left the present alarms, to become past or to be
 * dropped.
 */
export type AlarmStep =
  | { readonly kind: "nothing" }
  | { readonly kind: "full" }
  | { readonly kind: "changed"; readonly alarm: Alarm; readonly reported: boolean }
  | { readonly kind: "past"; readonly alarm: Alarm }
  | { readonly kind: "withdrawn"; readonly alarm: Alarm };

export type AnswerStep =
  | { readonly ok: true; readonly step: AlarmStep; readonly alarm: Alarm }
  | { readonly ok: false; readonly why: AlarmRefusal };

/** The present alarms of an account: at most one per thing and type (ALM-2). No I/O; times are ms UTC. */
export interface AlarmRegistry {
  readonly alarms: Iterable<Alarm>;
  readonly size: number;
  of(key: string, type: AlarmType): Alarm | undefined;
  byId(id: string): Alarm | undefined;
  about(key: string): Alarm[];
  /** Add a stored alarm. */
  restore(alarm: Alarm): void;
  /** Record a trigger. An existing alarm increments its count. */
  raise(key: string, type: AlarmType, condition: Condition, at: number): AlarmStep;
  /** Record a lasting condition: raise the alarm, or update the active one without a new event. */
  hold(key: string, type: AlarmType, condition: Condition, at: number): AlarmStep;
  clear(key: string, type: AlarmType, at: number): AlarmStep;
  /** Record an occurrence without an observable end: report it once and keep it until it is acknowledged. */
  note(key: string, type: AlarmType, condition: Condition, at: number): AlarmStep;
  /** Remove an alarm that has become part of another alarm (ALM-4). */
  withdraw(key: string, type: AlarmType): AlarmStep;
  acknowledge(id: string, ack: Acknowledgement): AnswerStep;
  snooze(id: string, until: number, reason: string, at: number): AnswerStep;
  unsnooze(id: string): AnswerStep;
  /** End the snoozes that are due. */
  wake(at: number): AlarmStep[];
  /** Return when the next snooze ends; null when no alarm is snoozed. */
  nextWake(): number | null;
  /** Evict the oldest cleared alarms while there are too many; they become past alarms. */
  trim(): AlarmStep[];
}

const NOTHING: AlarmStep = { kind: "nothing" };

/**
 * @param nameOf returns the present name of a device or farm; an alarm keeps the name from when it was
 * raised
 */
export function createAlarmRegistry(newId: () => string, nameOf: (key: string) => AlarmName): AlarmRegistry {
  const byPlace = new Map<string, Alarm>();
  const places = new Map<string, string>();
  const placeOf = (key: string, type: AlarmType): string => `${type} ${key}`;
  const of = (key: string, type: AlarmType): Alarm | undefined => byPlace.get(placeOf(key, type));
  const byId = (id: string): Alarm | undefined => {
    const place = places.get(id);
    return place === undefined ? undefined : byPlace.get(place);
  };
  const store = (alarm: Alarm): void => {
    const place = placeOf(alarm.key, alarm.type);
    byPlace.set(place, alarm);
    places.set(alarm.id, place);
  };
  const drop = (alarm: Alarm): void => {
    byPlace.delete(placeOf(alarm.key, alarm.type));
    places.delete(alarm.id);
  };
  const put = (alarm: Alarm, reported: boolean): AlarmStep => {
    if (isOver(alarm)) {
      drop(alarm);
      return { kind: "past", alarm };
    }
    store(alarm);
    return { kind: "changed", alarm, reported };
  };
  const isFull = (): boolean =>
    byPlace.size >= ALARMS_AT_MOST && [...byPlace.values()].every(({ active }) => active);
  const add = (key: string, type: AlarmType, condition: Condition, at: number): AlarmStep => {
    if (isFull()) return { kind: "full" };
    return put(raised({ id: newId(), key, type, ...nameOf(key) }, condition, at), true);
  };
  const isSame = (a: Alarm, b: Alarm): boolean => JSON.stringify(a) === JSON.stringify(b);

  return {
    get alarms() {
      return byPlace.values();
    },
    get size() {
      return byPlace.size;
    },
    of,
    byId,
    about: (key) => [...byPlace.values()].filter((alarm) => alarm.key === key),
    restore: store,
    raise(key, type, condition, at) {
      const known = of(key, type);
      if (known === undefined) return add(key, type, condition, at);
      const again = raisedAgain(known, condition, at, nameOf(key));
      return put(again, again.snooze === null);
    },
    hold(key, type, condition, at) {
      const known = of(key, type);
      if (known === undefined) return add(key, type, condition, at);
      if (!known.active) return put(raisedAgain(known, condition, at, nameOf(key)), true);
      const now = adjusted(known, condition);
      return isSame(known, now) ? NOTHING : put(now, now.priority < known.priority);
    },
    clear(key, type, at) {
      const known = of(key, type);
      return known?.active ? put(cleared(known, at), true) : NOTHING;
    },
    note(key, type, condition, at) {
      const known = of(key, type);
      if (known === undefined && isFull()) return { kind: "full" };
      const now = known
        ? raisedAgain(known, condition, at, nameOf(key))
        : raised({ id: newId(), key, type, ...nameOf(key) }, condition, at);
      return put(cleared(now, at), true);
    },
    withdraw(key, type) {
      const known = of(key, type);
      if (known === undefined) return NOTHING;
      drop(known);
      return { kind: "withdrawn", alarm: known };
    },
    acknowledge(id, ack) {
      const known = byId(id);
      if (known === undefined) return { ok: false, why: "unknown" };
      // The first acknowledgement wins.
      if (known.ack !== null) return { ok: true, step: NOTHING, alarm: known };
      const alarm = acknowledged(known, ack);
      return { ok: true, step: put(alarm, true), alarm };
    },
    snooze(id, until, reason, at) {
      const known = byId(id);
      if (known === undefined) return { ok: false, why: "unknown" };
      if (!known.active) return { ok: false, why: "not-active" };
      if (known.priority === 1) return { ok: false, why: "most-urgent" };
      if (until <= at || until > at + SNOOZE_AT_MOST_MS) return { ok: false, why: "bad-end" };
      const alarm = { ...known, snooze: { until: new Date(until).toISOString(), reason } };
      return { ok: true, step: put(alarm, true), alarm };
    },
    unsnooze(id) {
      const known = byId(id);
      if (known === undefined) return { ok: false, why: "unknown" };
      if (known.snooze === null) return { ok: true, step: NOTHING, alarm: known };
      const alarm = { ...known, snooze: null };
      return { ok: true, step: put(alarm, true), alarm };
    },
    wake(at) {
      return [...byPlace.values()].flatMap((alarm) => {
        const end = snoozeEnd(alarm);
        return end === null || end > at ? [] : [put({ ...alarm, snooze: null }, true)];
      });
    },
    nextWake() {
      const ends = [...byPlace.values()].flatMap((alarm) => snoozeEnd(alarm) ?? []);
      return ends.length === 0 ? null : Math.min(...ends);
    },
    trim() {
      if (byPlace.size <= ALARMS_AT_MOST) return [];
      const oldest = [...byPlace.values()]
        .filter(({ active }) => !active)
        .sort((a, b) => Date.parse(a.raisedAt) - Date.parse(b.raisedAt))
        .slice(0, byPlace.size - ALARMS_AT_MOST);
      return oldest.map((alarm): AlarmStep => {
        drop(alarm);
        return { kind: "past", alarm };
      });
    },
  };
}

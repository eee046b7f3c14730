import type { Acknowledgement, Alarm, AlarmType } from "@mulkko/shared/live/alarm";
import { SNOOZE_AT_MOST_MS } from "@mulkko/shared/rest/alarm";
import type { AlarmRefusal } from "../ports/alarms.ts";
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

/** Present alarms of one account at most, beside as many past ones as the store has room for; the oldest cleared give way. */
export const ALARMS_AT_MOST = 800;

/** What a step did: `told` is worth an event; `gone` has left the present alarms, for the past or for nothing. */
export type AlarmStep =
  | { readonly kind: "nothing" }
  | { readonly kind: "full" }
  | { readonly kind: "changed"; readonly alarm: Alarm; readonly told: boolean }
  | { readonly kind: "past"; readonly alarm: Alarm }
  | { readonly kind: "withdrawn"; readonly alarm: Alarm };

export type AnswerStep =
  | { readonly ok: true; readonly step: AlarmStep; readonly alarm: Alarm }
  | { readonly ok: false; readonly why: AlarmRefusal };

/** The present alarms of an account: at most one per thing and type (ALM-2). No I/O; times are ms UTC. */
export interface AlarmBook {
  readonly alarms: Iterable<Alarm>;
  readonly size: number;
  of(key: string, type: AlarmType): Alarm | undefined;
  byId(id: string): Alarm | undefined;
  about(key: string): Alarm[];
  /** Takes up a stored alarm. */
  restore(alarm: Alarm): void;
  /** A trigger: an alarm that is there already counts one more. */
  raise(key: string, type: AlarmType, condition: Condition, at: number): AlarmStep;
  /** The condition is so: raised unless it is active already, else brought up to date without being told again. */
  hold(key: string, type: AlarmType, condition: Condition, at: number): AlarmStep;
  clear(key: string, type: AlarmType, at: number): AlarmStep;
  /** Something of which nobody can see when it is over: told once, and there until it is acknowledged. */
  note(key: string, type: AlarmType, condition: Condition, at: number): AlarmStep;
  /** It has become part of another alarm and is none of its own (ALM-4). */
  withdraw(key: string, type: AlarmType): AlarmStep;
  acknowledge(id: string, ack: Acknowledgement): AnswerStep;
  snooze(id: string, until: number, reason: string, at: number): AnswerStep;
  unsnooze(id: string): AnswerStep;
  /** Snoozes that have ended by now. */
  wake(at: number): AlarmStep[];
  /** When the next snooze ends; null: none is under way. */
  nextWake(): number | null;
  /** Makes room where there is too much: the oldest cleared alarms, which become past. */
  trim(): AlarmStep[];
}

const NOTHING: AlarmStep = { kind: "nothing" };

export function createAlarmBook(newId: () => string): AlarmBook {
  const byPlace = new Map<string, Alarm>();
  const places = new Map<string, string>();
  const placeOf = (key: string, type: AlarmType): string => `${type} ${key}`;
  const of = (key: string, type: AlarmType): Alarm | undefined => byPlace.get(placeOf(key, type));
  const byId = (id: string): Alarm | undefined => {
    const place = places.get(id);
    return place === undefined ? undefined : byPlace.get(place);
  };
  const keep = (alarm: Alarm): void => {
    const place = placeOf(alarm.key, alarm.type);
    byPlace.set(place, alarm);
    places.set(alarm.id, place);
  };
  const drop = (alarm: Alarm): void => {
    byPlace.delete(placeOf(alarm.key, alarm.type));
    places.delete(alarm.id);
  };
  const put = (alarm: Alarm, told: boolean): AlarmStep => {
    if (isOver(alarm)) {
      drop(alarm);
      return { kind: "past", alarm };
    }
    keep(alarm);
    return { kind: "changed", alarm, told };
  };
  const isFull = (): boolean =>
    byPlace.size >= ALARMS_AT_MOST && [...byPlace.values()].every(({ active }) => active);
  const add = (key: string, type: AlarmType, condition: Condition, at: number): AlarmStep => {
    if (isFull()) return { kind: "full" };
    return put(raised({ id: newId(), key, type }, condition, at), true);
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
    restore: keep,
    raise(key, type, condition, at) {
      const known = of(key, type);
      if (known === undefined) return add(key, type, condition, at);
      const again = raisedAgain(known, condition, at);
      return put(again, again.snooze === null);
    },
    hold(key, type, condition, at) {
      const known = of(key, type);
      if (known === undefined) return add(key, type, condition, at);
      if (!known.active) return put(raisedAgain(known, condition, at), true);
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
        ? raisedAgain(known, condition, at)
        : raised({ id: newId(), key, type }, condition, at);
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
      // The first who has seen it stays the one.
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

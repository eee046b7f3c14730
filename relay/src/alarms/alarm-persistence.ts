import { Alarm } from "@mulkko/shared/live/alarm";
import type { Timers } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import type { Log } from "../runtime/log.ts";
import type { AlarmStore } from "../store/durable.ts";
import { notPersisted } from "../store/errors.ts";
import { type Keyed, WriteBehind } from "../store/write-behind.ts";
import { isOver } from "./alarm.ts";

/** Number of past alarms stored of one account, and for how long. */
const PAST_AT_MOST = 200;
const PAST_KEPT_MS = 7 * 24 * 3_600_000;

/** The stored alarms of an account: the present ones, and the past ones, oldest first. */
interface StoredAlarms {
  readonly present: readonly Alarm[];
  readonly past: readonly Alarm[];
  /** Ids of alarms that cannot be read. */
  readonly unreadable: readonly string[];
}

export async function readAlarms(store: AlarmStore): Promise<StoredAlarms> {
  const present: Alarm[] = [];
  const past: Alarm[] = [];
  const unreadable: string[] = [];
  for (const { id, alarm } of await store.all()) {
    const parsed = parse(Alarm, alarm);
    if (!parsed.ok) unreadable.push(id);
    else (isOver(parsed.value) ? past : present).push(parsed.value);
  }
  return { present, past, unreadable };
}

/** The ids of the past alarms. The alarms themselves are in the store. */
interface PastAlarms {
  /**
   * Add an alarm.
   * @param at when it became past, ms UTC
   */
  add(id: string, at: number): void;
  /** Remove and return the ids that are too old or too many. */
  takeStale(now: number): string[];
}

export function createPastAlarms(): PastAlarms {
  const ids = new Map<string, number>();
  return {
    add(id, at) {
      ids.delete(id);
      ids.set(id, at);
    },
    takeStale(now) {
      const stale: string[] = [];
      for (const [id, at] of ids) {
        if (ids.size - stale.length <= PAST_AT_MOST && now - at < PAST_KEPT_MS) break;
        stale.push(id);
      }
      for (const id of stale) ids.delete(id);
      return stale;
    },
  };
}

/** Return when an alarm became past, ms UTC. */
export function pastSince({ clearedAt, ack, raisedAt }: Alarm): number {
  return Math.max(...[clearedAt, ack?.at, raisedAt].map((at) => (at ? Date.parse(at) : 0)));
}

/** One alarm to store, or null to delete it. `at` is ms UTC. */
interface StoredAlarm {
  readonly id: string;
  readonly at: number;
  readonly alarm: object | null;
}

/** Persist an account's alarms: only the newest version of each, in order, repeated until it is stored. */
interface AlarmPersistence {
  put(kept: StoredAlarm): void;
  /** Resolve when everything queued before was tried once. It may still wait for the store. */
  tried(): Promise<void>;
  close(): void;
}

const ALARMS = { name: "alarms" };

export function createAlarmPersistence(deps: {
  store: AlarmStore;
  timers: Timers;
  log: Log;
}): AlarmPersistence {
  const { store, timers, log } = deps;
  const behind = new WriteBehind<StoredAlarm & Keyed>({
    write: (alarms) => store.write(alarms),
    timers,
    onFailure: notPersisted(log, "error", { event: "alarms-not-stored" }, "cannot store alarms, retrying"),
  });
  return {
    put: (kept) => void behind.put([{ ...kept, of: ALARMS, key: kept.id }]),
    tried: () => behind.tried(),
    close: () => behind.close(),
  };
}

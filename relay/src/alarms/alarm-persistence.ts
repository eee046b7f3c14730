import { Alarm } from "@mulkko/shared/live/alarm";
import type { Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { DatedCollection, DocumentChange } from "../store/collections.ts";
import type { Documents } from "../store/documents.ts";
import { notPersisted } from "../store/errors.ts";
import { WriteBehind } from "../store/write-behind.ts";
import { isOver } from "./alarm.ts";

/** Number of past alarms stored of one account, and for how long. */
const PAST_AT_MOST = 200;
const PAST_KEPT_MS = 7 * 24 * 3_600_000;

/** The stored alarms of an account: the present ones, and the past ones, oldest first. */
export interface StoredAlarms {
  readonly present: readonly Alarm[];
  readonly past: readonly Alarm[];
  /** Ids of alarms that cannot be read. */
  readonly unreadable: readonly string[];
}

export async function readAlarms(store: Documents): Promise<StoredAlarms> {
  const present: Alarm[] = [];
  const past: Alarm[] = [];
  const unreadable: string[] = [];
  for (const { key, read } of await store.list(ALARMS)) {
    if (!read.ok) unreadable.push(key);
    else (isOver(read.value) ? past : present).push(read.value);
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

/** The alarms of an account by id, with the time of their last change. */
export const ALARMS = {
  ...{ name: "alarms", shape: "dated", value: Alarm, atMost: 1_000, rewritten: true },
  sqlite: { table: "alarms", key: "id", value: "alarm" },
  redis: { documents: "al", times: "at" },
} as const satisfies DatedCollection;

/** Create the writer of an account's alarms: the newest version of each, repeated until it is stored. */
export function createAlarmWriter(deps: {
  store: Documents;
  timers: Timers;
  log: Log;
}): WriteBehind<DocumentChange> {
  const { store, timers, log } = deps;
  return new WriteBehind({
    write: (changes) => store.write(changes),
    timers,
    onFailure: notPersisted(log, "error", { event: "alarms-not-stored" }, "cannot store alarms, retrying"),
  });
}

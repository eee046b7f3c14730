import { Alarm } from "@mulkko/shared/live/alarm";
import { parse } from "@mulkko/shared/schema/parse";
import type { AlarmStore } from "../store/durable.ts";
import { isOver } from "./alarm.ts";

/** Number of past alarms stored of one account, and for how long. */
export const PAST_AT_MOST = 200;
export const PAST_KEPT_MS = 7 * 24 * 3_600_000;

/** The stored alarms of an account: the present ones, and the past ones, oldest first. */
export interface StoredAlarms {
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
export interface PastAlarms {
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

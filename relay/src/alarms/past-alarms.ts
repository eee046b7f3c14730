import { Alarm } from "@mulkko/shared/live/alarm";
import { parse } from "@mulkko/shared/schema/parse";
import { isOver } from "../core/alarm.ts";
import type { AlarmStore } from "../ports/durable.ts";

/** Past alarms of one account that are kept, and for how long. */
export const PAST_AT_MOST = 200;
export const PAST_KEPT_MS = 7 * 24 * 3_600_000;

/** What is stored of an account's alarms: the present ones, and the past, oldest first. */
export interface StoredAlarms {
  readonly present: readonly Alarm[];
  readonly past: readonly Alarm[];
  /** Ids of what cannot be read. */
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

/** Which past alarms there are, by their ids alone: the alarms themselves are in the store. */
export interface PastAlarms {
  /** @param at when it became past, ms UTC */
  add(id: string, at: number): void;
  /** Takes out those that are too old, or too many. */
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

/** When an alarm became past, ms UTC. */
export function pastSince({ clearedAt, ack, raisedAt }: Alarm): number {
  return Math.max(...[clearedAt, ack?.at, raisedAt].map((at) => (at ? Date.parse(at) : 0)));
}

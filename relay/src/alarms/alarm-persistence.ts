import { Alarm } from "@mulkko/shared/live/alarm";
import type { Timers } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import type { Log } from "../runtime/log.ts";
import type { AlarmStore } from "../store/durable.ts";
import { notPersisted, StaleOwnerError } from "../store/errors.ts";
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

const RETRY_MS = 5_000;
/** Most alarms that wait for the store; beyond it the oldest are dropped. */
const WAITING_AT_MOST = 1_000;

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

export function createAlarmPersistence(deps: {
  store: AlarmStore;
  timers: Timers;
  log: Log;
}): AlarmPersistence {
  const { store, timers, log } = deps;
  let waiting = new Map<string, StoredAlarm>();
  let last: Promise<void> = Promise.resolve();
  let asked = false;
  let retry: { cancel(): void } | undefined;
  let closed = false;

  const write = async (): Promise<void> => {
    asked = false;
    if (waiting.size === 0) return;
    const taken = waiting;
    waiting = new Map();
    try {
      await store.write([...taken.values()]);
    } catch (error) {
      // Another owner persists them now (NODE-5).
      if (error instanceof StaleOwnerError) return;
      // Versions queued meanwhile are newer.
      waiting = new Map([...[...taken].slice(-WAITING_AT_MOST), ...waiting]);
      notPersisted(log, "error", { event: "alarms-not-stored" }, "cannot store alarms, retrying")(error);
      if (!closed) retry ??= timers.after(RETRY_MS, again);
    }
  };
  const ask = (): void => {
    if (asked) return;
    asked = true;
    last = last.then(write);
  };
  const again = (): void => {
    retry = undefined;
    ask();
  };
  return {
    put(kept) {
      waiting.set(kept.id, kept);
      ask();
    },
    tried: () => last,
    close() {
      closed = true;
      retry?.cancel();
    },
  };
}

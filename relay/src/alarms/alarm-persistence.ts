import type { Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { AlarmStore } from "../store/durable.ts";
import { StaleOwnerError } from "../store/errors.ts";
import { logNotPersisted } from "../store/log-not-persisted.ts";

const RETRY_MS = 5_000;
/** Most alarms that wait for the store; beyond it the oldest are dropped. */
const WAITING_AT_MOST = 1_000;

/** One alarm to store, or null to delete it. `at` is ms UTC. */
export interface StoredAlarm {
  readonly id: string;
  readonly at: number;
  readonly alarm: object | null;
}

/** Persist an account's alarms: only the newest version of each, in order, repeated until it is stored. */
export interface AlarmPersistence {
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
      logNotPersisted(
        log,
        "error",
        { event: "alarms-not-stored", err: error },
        "cannot store alarms, retrying",
      );
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

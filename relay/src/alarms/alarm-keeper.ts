import type { AlarmStore } from "../ports/durable.ts";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import { StaleOwnerError } from "../store/errors.ts";
import { logUnkept } from "../store/log-unkept.ts";

const RETRY_MS = 5_000;
/** Alarms that wait for the store; the oldest give way. */
const WAITING_AT_MOST = 1_000;

/** One alarm as it is to be stored; null: it is to be forgotten. `at` is ms UTC. */
export interface KeptAlarm {
  readonly id: string;
  readonly at: number;
  readonly alarm: object | null;
}

/** The way of an account's alarms to the store: of each only the newest, in order, tried until it is kept. */
export interface AlarmKeeper {
  put(kept: KeptAlarm): void;
  /** Resolves when all that was put before has been tried once; it may wait on for the store. */
  tried(): Promise<void>;
  close(): void;
}

export function createAlarmKeeper(parts: { store: AlarmStore; timers: Timers; log: Log }): AlarmKeeper {
  const { store, timers, log } = parts;
  let waiting = new Map<string, KeptAlarm>();
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
      // Another owner keeps them now (NODE-5).
      if (error instanceof StaleOwnerError) return;
      // What came meanwhile is newer.
      waiting = new Map([...[...taken].slice(-WAITING_AT_MOST), ...waiting]);
      logUnkept(log, "error", { err: error }, "the store does not keep alarms; trying again");
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

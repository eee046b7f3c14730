import type { StateStream } from "@mulkko/shared/live/client-messages";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { OwnerTrouble } from "../runtime/metrics.ts";
import { notPersisted, StaleOwnerError } from "../store/errors.ts";
import {
  changeFrame,
  emptyGathering,
  type Gathered,
  gatherDel,
  gatherPatch,
  gatherSet,
  putBack,
  takeGathered,
} from "../store/gather.ts";
import type { AccountStore, AccountStreams } from "../store/store.ts";
import type { StateValue } from "../store/streams.ts";

export interface WriterDeps {
  readonly store: Pick<AccountStore, "step" | "beginEpoch" | "append">;
  readonly streams: Pick<AccountStreams, "devices">;
  /** State of the stream from the previous owner. */
  readonly stored: ReadonlyMap<string, StateValue>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly observer: WriterObserver;
}

/** Observes what a writer stores. */
export interface WriterObserver {
  /** A flush of that many keys was stored. */
  flushed(keys: number): void;
  /** An event was stored. */
  logged?(event: LiveEvent): void;
  trouble(trouble: OwnerTrouble): void;
  /** Another node owns the account: nothing is written any more (NODE-5). */
  stale(): void;
}

/** The writer of an account, for its owner. */
export interface OwnedWriter extends AccountWriter {
  /** Flush pending changes at once; resolves when the store has accepted or refused them. */
  flushNow(): Promise<void>;
  close(): void;
}

/** SUB-6: minimum gap between two flushes, ms; the first change after a pause is sent at once. */
const GATHER_MS = 100;
/** Delay before a refused flush is retried, ms. */
const RETRY_MS = 1_000;
/** Upper bound of events that wait for the store; the oldest are dropped. */
const EVENTS_WAITING = 1_000;

/**
 * Gather changes and flush them: one flush, one offset, one store step, one frame (SUB-1). All changes of
 * one handler are sent together, because a flush begins after it has run.
 *
 * @param stream of the frames
 */
export function createWriter(deps: WriterDeps, stream: StateStream = "devices"): OwnedWriter {
  const { store, streams, clock, timers, log, observer } = deps;
  const gathering = emptyGathering();
  for (const [key, value] of deps.stored) gathering.values.set(key, value);
  const events: LiveEvent[] = [];
  let lastFlush = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let timer: { cancel(): void } | undefined;
  let closed = false;

  const step = async (gathered: Gathered): Promise<void> => {
    const frame = changeFrame(streams.devices.offset, gathered, stream);
    const outcome = await store.step({ set: gathered.whole, del: gathered.del, frame });
    if (outcome.kind === "moved") {
      log.warn(
        { event: "stream-moved", expected: frame.from, found: outcome.offset },
        "stream moved, starting new epoch",
      );
      observer.trouble("moved");
      await store.beginEpoch(gathering.values);
    }
    observer.flushed(frame.keys.length);
  };
  const flush = async (): Promise<void> => {
    if (gathering.pending.size === 0) return;
    lastFlush = clock.monotonic();
    const gathered = takeGathered(gathering);
    try {
      await step(gathered);
    } catch (error) {
      putBack(gathering, gathered);
      throw error;
    }
  };
  const isDue = (): boolean => clock.monotonic() - lastFlush >= GATHER_MS;
  const run = async (): Promise<void> => {
    await Promise.resolve();
    while (!closed && (events.length > 0 || (gathering.pending.size > 0 && isDue()))) {
      const count = events.length;
      await flush();
      for (let n = 0; n < count && !closed; n += 1) {
        const [event] = events;
        if (!event) break;
        await store.append(event);
        events.shift();
        observer.logged?.(event);
      }
    }
  };
  const failed = (error: unknown): void => {
    if (error instanceof StaleOwnerError) {
      closed = true;
      observer.trouble("stale");
      observer.stale();
      return;
    }
    notPersisted(log, "error", { event: "flush-failed" }, "flush failed, will retry")(error);
    observer.trouble("failed");
    timer?.cancel();
    timer = timers.after(RETRY_MS, poke);
  };
  const poke = (): void => {
    if (closed || running) return;
    const waits = GATHER_MS - (clock.monotonic() - lastFlush);
    if (events.length === 0) {
      if (gathering.pending.size === 0) return;
      if (waits > 0) {
        timer?.cancel();
        timer = timers.after(waits, poke);
        return;
      }
    }
    running = run().then(
      () => {
        running = undefined;
        poke();
      },
      (error: unknown) => {
        running = undefined;
        failed(error);
      },
    );
  };

  return {
    get: (key) => gathering.values.get(key),
    keys: () => gathering.values.keys(),
    set(key, value) {
      const changed = gatherSet(gathering, key, value);
      if (changed) poke();
      return changed;
    },
    patch(key, fields) {
      const changed = gatherPatch(gathering, key, fields);
      if (changed !== null) poke();
      return changed;
    },
    del(key) {
      const existed = gatherDel(gathering, key);
      if (existed) poke();
      return existed;
    },
    event(event) {
      events.push(event);
      if (events.length > EVENTS_WAITING) events.shift();
      poke();
    },
    async flushNow() {
      await running;
      lastFlush = Number.NEGATIVE_INFINITY;
      poke();
      await running;
    },
    close() {
      closed = true;
      timer?.cancel();
    },
  };
}

/** Collects an account's changes and flushes them as one frame (SUB-1, SUB-6). */
export interface AccountWriter {
  get(key: string): StateValue | undefined;
  keys(): Iterable<string>;
  /** Set a whole value; return false if nothing differs. */
  set(key: string, value: StateValue): boolean;
  /** Replace top-level fields and return those that differ; null, and nothing is sent, if none does. */
  patch(key: string, fields: StateValue): StateValue | null;
  /** Remove a key; return false if it does not exist. */
  del(key: string): boolean;
  /** Flush the pending state first, then append the event (SUB-6). */
  event(event: LiveEvent): void;
}

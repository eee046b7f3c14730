import type { StateStream } from "@mulkko/shared/live/client-messages";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { Clock } from "@mulkko/shared/rules/clock";
import { changeFrame } from "../core/change-frame.ts";
import {
  emptyGathering,
  type Gathered,
  gatherDel,
  gatherPatch,
  gatherSet,
  putBack,
  takeGathered,
} from "../core/gather.ts";
import type { Log } from "../ports/log.ts";
import type { OwnerTrouble } from "../ports/metrics.ts";
import type { StateValue } from "../ports/streams.ts";
import type { Timers } from "../ports/timers.ts";
import type { AccountWriter } from "../ports/writer.ts";
import { StaleOwnerError } from "../store/errors.ts";
import { logUnkept } from "../store/log-unkept.ts";
import type { AccountStore, AccountStreams } from "../store/store.ts";

export interface WriterParts {
  readonly store: Pick<AccountStore, "step" | "beginEpoch" | "append">;
  readonly streams: Pick<AccountStreams, "devices">;
  /** What its frames are called; `devices` if left out. */
  readonly stream?: StateStream;
  /** What the stream holds already, of the owner before. */
  readonly kept: ReadonlyMap<string, StateValue>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly onFlushed: (keys: number) => void;
  readonly onLogged: (event: LiveEvent) => void;
  /** A key holds something else than before, or is gone. */
  readonly onChanged?: (key: string) => void;
  /** Counts what goes wrong. */
  readonly onTrouble?: (trouble: OwnerTrouble) => void;
  /** Somebody else owns the account: nothing is written any more (NODE-5). */
  readonly onStale: () => void;
}

/** The writer of an account, as its owner holds it. */
export interface OwnedWriter extends AccountWriter {
  /** Flushes at once what is pending; resolves when the store has it, or has refused it. */
  flushNow(): Promise<void>;
  close(): void;
}

/** SUB-6: ms between two flushes; the first change after quiet leaves at once. */
const GATHER_MS = 100;
/** ms until a flush that the store refused is tried again. */
const RETRY_MS = 1_000;
/** Events that wait for the store at most; the oldest give way. */
const EVENTS_WAITING = 1_000;

/**
 * Gathers what changes and flushes it: one flush, one offset, one store step, one frame (SUB-1). What one handler
 * changes goes out together, as a flush begins after it has run.
 */
export function createWriter(parts: WriterParts): OwnedWriter {
  const { store, streams, clock, timers, log } = parts;
  const gathering = emptyGathering();
  for (const [key, value] of parts.kept) gathering.values.set(key, value);
  const events: LiveEvent[] = [];
  let lastFlush = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let timer: { cancel(): void } | undefined;
  let closed = false;

  const step = async (gathered: Gathered): Promise<void> => {
    const frame = changeFrame(streams.devices.offset, gathered, parts.stream);
    const outcome = await store.step({ set: gathered.whole, del: gathered.del, frame });
    if (outcome.kind === "moved") {
      log.warn({ expected: frame.from, found: outcome.offset }, "the stream moved: a new epoch begins");
      parts.onTrouble?.("moved");
      await store.beginEpoch(gathering.values);
    }
    parts.onFlushed(frame.keys.length);
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
        parts.onLogged(event);
      }
    }
  };
  const failed = (error: unknown): void => {
    if (error instanceof StaleOwnerError) {
      closed = true;
      parts.onTrouble?.("stale");
      parts.onStale();
      return;
    }
    logUnkept(log, "error", { err: error }, "a flush failed and is tried again");
    parts.onTrouble?.("failed");
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

  const changed = (key: string): void => {
    parts.onChanged?.(key);
    poke();
  };

  return {
    get: (key) => gathering.values.get(key),
    keys: () => gathering.values.keys(),
    set(key, value) {
      if (gatherSet(gathering, key, value)) changed(key);
    },
    patch(key, fields) {
      if (gatherPatch(gathering, key, fields)) changed(key);
    },
    del(key) {
      if (gatherDel(gathering, key)) changed(key);
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

import type { ValveStep, ValveStore } from "../ports/durable.ts";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import { StaleOwnerError } from "../store/errors.ts";
import { logUnkept } from "../store/log-unkept.ts";

/** Things that wait for the store, of each kind; beyond it the oldest are dropped. */
const BACKLOG = 1_000;
const RETRY_MS = 5_000;

/** `stale`: somebody else owns the account by now, and what happens to its valves is theirs (NODE-5). */
export type Kept = "kept" | "waits" | "stale";

/** The one way of a desk to its store: steps go out one after the other. */
export interface DurableWriter {
  /** Resolves when the step is on the disk; rejects when it is not (RUN-3). */
  must(step: ValveStep): Promise<void>;
  /** Kept now, or as soon as the store is back (NODE-4: closing does not wait for a full disk). */
  keep(step: ValveStep): Promise<Kept>;
  close(): void;
}

type Items = {
  intents: Map<string, object | null>;
  commands: Map<string, Dated>;
  waterings: Map<string, Dated>;
};
type Dated = { at: number; value: object };

/** Of each thing only the newest value is ever worth writing. */
function put(items: Items, step: ValveStep): void {
  for (const { channelKey, intent } of step.intents ?? []) items.intents.set(channelKey, intent);
  for (const { commandId, at, record } of step.commands ?? []) {
    items.commands.set(commandId, { at, value: record });
  }
  for (const { id, at, watering } of step.waterings ?? []) items.waterings.set(id, { at, value: watering });
  for (const map of [items.intents, items.commands, items.waterings]) {
    for (const key of map.keys()) {
      if (map.size <= BACKLOG) break;
      map.delete(key);
    }
  }
}

const empty = (): Items => ({ intents: new Map(), commands: new Map(), waterings: new Map() });

function stepOf({ intents, commands, waterings }: Items): ValveStep {
  return {
    intents: [...intents].map(([channelKey, intent]) => ({ channelKey, intent })),
    commands: [...commands].map(([commandId, { at, value }]) => ({ commandId, at, record: value })),
    waterings: [...waterings].map(([id, { at, value }]) => ({ id, at, watering: value })),
  };
}

const isEmpty = (items: Items): boolean =>
  items.intents.size + items.commands.size + items.waterings.size === 0;

export function createDurableWriter(parts: { store: ValveStore; timers: Timers; log: Log }): DurableWriter {
  const { store, timers, log } = parts;
  let backlog = empty();
  let last: Promise<void> = Promise.resolve();
  let retry: { cancel(): void } | null = null;
  let closed = false;

  /** Writes what waits, and this step on top, in one; on failure what waited goes on waiting, and `keep` with it. */
  const write = async (step: ValveStep | null, keep: boolean): Promise<void> => {
    const waiting = backlog;
    backlog = empty();
    try {
      if (isEmpty(waiting)) {
        if (step) await store.write(step);
        return;
      }
      const whole = {
        intents: new Map(waiting.intents),
        commands: new Map(waiting.commands),
        waterings: new Map(waiting.waterings),
      };
      if (step) put(whole, step);
      await store.write(stepOf(whole));
      log.info({}, "what waited for the store is kept now");
    } catch (error) {
      if (step && keep) put(waiting, step);
      put(waiting, stepOf(backlog));
      backlog = waiting;
      throw error;
    }
  };
  const inTurn = (step: ValveStep | null, keep: boolean): Promise<void> => {
    const turn = last.then(() => write(step, keep));
    last = turn.catch(() => undefined);
    return turn;
  };
  const retryLater = (): void => {
    if (retry || closed) return;
    retry = timers.after(RETRY_MS, () => {
      retry = null;
      inTurn(null, false).catch(retryLater);
    });
  };

  return {
    must: (step) => inTurn(step, false),
    async keep(step) {
      try {
        await inTurn(step, true);
        return "kept";
      } catch (error) {
        if (error instanceof StaleOwnerError) {
          // Its successor has read what was stored, and goes on from there.
          closed = true;
          return "stale";
        }
        logUnkept(
          log,
          "error",
          { err: error },
          "the store does not keep what happens to valves; trying again",
        );
        retryLater();
        return "waits";
      }
    },
    close() {
      closed = true;
      retry?.cancel();
    },
  };
}

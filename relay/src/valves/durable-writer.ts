import type { Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { ValveStep, ValveStore } from "../store/durable.ts";
import { notPersisted, StaleOwnerError } from "../store/errors.ts";

/** Items of each kind that wait for the store. Beyond it the oldest are dropped. */
const BACKLOG = 1_000;
const RETRY_MS = 5_000;

/** `stale`: another node owns the account by now and decides about its valves (NODE-5). */
export type WriteResult = "written" | "waiting" | "stale";

/** The only access of a valve service to its store. Steps are written one after the other. */
export interface DurableWriter {
  /** Resolve when the step is on disk; reject when it is not (RUN-3). */
  must(step: ValveStep): Promise<void>;
  /** Write now, or as soon as the store is back. NODE-4: closing does not wait for a full disk. */
  writeOrRetry(step: ValveStep): Promise<WriteResult>;
  close(): void;
}

type Items = {
  intents: Map<string, object | null>;
  commands: Map<string, Dated>;
  waterings: Map<string, Dated>;
};
type Dated = { at: number; value: object };

/** Merge a step: of each item only the newest value is worth writing. */
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

export function createDurableWriter(deps: { store: ValveStore; timers: Timers; log: Log }): DurableWriter {
  const { store, timers, log } = deps;
  let backlog = empty();
  let last: Promise<void> = Promise.resolve();
  let retry: { cancel(): void } | null = null;
  let closed = false;
  const fields = { event: "valve-changes-not-stored" };
  const notStored = notPersisted(log, "error", fields, "cannot store valve changes, retrying");

  /**
   * Write the backlog and this step in one write. On failure the backlog waits on, and with `keep` this step
   * too.
   */
  const write = async (step: ValveStep | null, retries: boolean): Promise<void> => {
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
      log.info({ event: "valve-backlog-stored" }, "stored waiting valve changes");
    } catch (error) {
      if (step && retries) put(waiting, step);
      put(waiting, stepOf(backlog));
      backlog = waiting;
      throw error;
    }
  };
  const inTurn = (step: ValveStep | null, retries: boolean): Promise<void> => {
    const turn = last.then(() => write(step, retries));
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
    async writeOrRetry(step) {
      try {
        await inTurn(step, true);
        return "written";
      } catch (error) {
        if (error instanceof StaleOwnerError) {
          // The next owner has read what was stored and continues from there.
          closed = true;
          return "stale";
        }
        notStored(error);
        retryLater();
        return "waiting";
      }
    },
    close() {
      closed = true;
      retry?.cancel();
    },
  };
}

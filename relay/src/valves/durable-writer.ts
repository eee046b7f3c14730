import type { Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { ValveStep, ValveStore } from "../store/durable.ts";
import { notPersisted } from "../store/errors.ts";
import { WriteBehind, type WriteResult } from "../store/write-behind.ts";

/** The only access of a valve service to its store. Steps are written one after the other. */
export interface DurableWriter {
  /** Resolve when the step is on disk; reject when it is not (RUN-3). */
  must(step: ValveStep): Promise<void>;
  /** Write now, or as soon as the store is back. NODE-4: closing does not wait for a full disk. */
  writeOrRetry(step: ValveStep): Promise<WriteResult>;
  close(): void;
}

/** One item of a step: an intent, a command or a watering. */
interface Item {
  readonly of: { readonly name: string };
  readonly key: string;
  readonly step: ValveStep;
}

const itemsOf = ({ intents = [], commands = [], waterings = [] }: ValveStep): Item[] => [
  ...intents.map((one) => ({ of: { name: "intents" }, key: one.channelKey, step: { intents: [one] } })),
  ...commands.map((one) => ({ of: { name: "commands" }, key: one.commandId, step: { commands: [one] } })),
  ...waterings.map((one) => ({ of: { name: "waterings" }, key: one.id, step: { waterings: [one] } })),
];

const stepOf = (items: readonly Item[]): ValveStep => ({
  intents: items.flatMap(({ step }) => step.intents ?? []),
  commands: items.flatMap(({ step }) => step.commands ?? []),
  waterings: items.flatMap(({ step }) => step.waterings ?? []),
});

export function createDurableWriter(deps: { store: ValveStore; timers: Timers; log: Log }): DurableWriter {
  const { store, timers, log } = deps;
  const fields = { event: "valve-changes-not-stored" };
  const behind = new WriteBehind<Item>({
    write: (items) => store.write(stepOf(items)),
    timers,
    onFailure: notPersisted(log, "error", fields, "cannot store valve changes, retrying"),
    onCaughtUp: () => log.info({ event: "valve-backlog-stored" }, "stored waiting valve changes"),
  });
  return {
    must: (step) => behind.must(itemsOf(step)),
    writeOrRetry: (step) => behind.put(itemsOf(step)),
    close: () => behind.close(),
  };
}

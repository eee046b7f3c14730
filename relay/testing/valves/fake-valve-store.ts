import type { Clock } from "@mulkko/shared/rules/clock";
import type { ValveStep, ValveStore } from "../../src/store/durable.ts";
import { StoreUnavailableError } from "../../src/store/errors.ts";

/** A store in memory that outlives valve services, can fail, and can lose everything. */
export interface FakeValveStore extends ValveStore {
  failing: boolean;
  /** Writes complete once this promise resolves. */
  until: Promise<void>;
  readonly steps: ValveStep[];
  wipe(): void;
  intentOf(channelKey: string): unknown;
}

/** Create a fake store. Values pass through JSON as on a disk, so a read returns a copy. */
export function createFakeValveStore(clock: Clock): FakeValveStore {
  const intents = new Map<string, string>();
  const commands = new Map<string, { at: number; record: string }>();
  const waterings = new Map<string, { at: number; watering: string }>();
  const since = (at: number, items: Iterable<{ at: number; text: string }>) =>
    [...items]
      .filter((item) => item.at >= at)
      .sort((a, b) => a.at - b.at)
      .map(({ text }) => JSON.parse(text));
  const store: FakeValveStore = {
    failing: false,
    until: Promise.resolve(),
    steps: [],
    now: () => clock.now(),
    async write(step) {
      await store.until;
      if (store.failing) throw new StoreUnavailableError("disk full");
      store.steps.push(step);
      for (const { channelKey, intent } of step.intents ?? []) {
        if (intent === null) intents.delete(channelKey);
        else intents.set(channelKey, JSON.stringify(intent));
      }
      for (const { commandId, at, record } of step.commands ?? []) {
        commands.set(commandId, { at, record: JSON.stringify(record) });
      }
      for (const { id, at, watering } of step.waterings ?? []) {
        waterings.set(id, { at, watering: JSON.stringify(watering) });
      }
    },
    intents: async () =>
      [...intents].map(([channelKey, intent]) => ({ channelKey, intent: JSON.parse(intent) })),
    command: async (commandId) => {
      const stored = commands.get(commandId);
      return stored && JSON.parse(stored.record);
    },
    commandsSince: async (at) =>
      since(
        at,
        [...commands.values()].map((c) => ({ at: c.at, text: c.record })),
      ),
    wateringsSince: async (at) =>
      since(
        at,
        [...waterings.values()].map((w) => ({ at: w.at, text: w.watering })),
      ),
    wipe() {
      intents.clear();
      commands.clear();
      waterings.clear();
    },
    intentOf: (channelKey) => {
      const stored = intents.get(channelKey);
      return stored === undefined ? undefined : JSON.parse(stored);
    },
  };
  return store;
}

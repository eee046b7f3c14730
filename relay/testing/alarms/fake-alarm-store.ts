import type { AlarmStore } from "../../src/store/durable.ts";
import { StoreUnavailableError } from "../../src/store/errors.ts";

/** A store in memory that outlives alarm services, and can fail. Values pass through JSON, as on a disk. */
export interface FakeAlarmStore extends AlarmStore {
  failing: boolean;
  readonly kept: ReadonlyMap<string, { at: number; text: string }>;
}

export function createFakeAlarmStore(): FakeAlarmStore {
  const kept = new Map<string, { at: number; text: string }>();
  const store: FakeAlarmStore = {
    failing: false,
    kept,
    async write(entries) {
      if (store.failing) throw new StoreUnavailableError("disk full");
      for (const { id, at, alarm } of entries) {
        if (alarm === null) kept.delete(id);
        else kept.set(id, { at, text: JSON.stringify(alarm) });
      }
    },
    all: async () =>
      [...kept]
        .sort(([, a], [, b]) => a.at - b.at)
        .map(([id, { text }]) => ({ id, alarm: JSON.parse(text) })),
  };
  return store;
}

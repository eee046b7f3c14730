import { buildAccount, buildDisplaySettings } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { afterEach, expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createTestStore } from "../../testing/test-store.ts";
import { type DisplayRecord, displayAccount } from "../store/display-record.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { DisplayRegistry } from "./display-registry.ts";
import { DISPLAY_LIMITS } from "./limits.ts";

const record = (id: string): DisplayRecord => ({
  id,
  account: displayAccount(buildAccount()),
  settings: buildDisplaySettings(),
  tokenHash: `hash of ${id}`,
  createdAt: 1,
  changedAt: 1,
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Two registries of one store, as before and after a restart; its writes can fail. */
function harness() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const store = createTestStore({ clock, timers });
  closing.push(() => store.close());
  let isFull = false;
  const kept = store.displays;
  const orFull = <A extends unknown[], T>(write: (...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> =>
      isFull ? Promise.reject(new StoreUnavailableError("the disk is full")) : write(...args);
  };
  const displays = { ...kept, replace: orFull(kept.replace), remove: orFull(kept.remove) };
  const open = () => {
    const log = createCapturedLog();
    const registry = new DisplayRegistry({
      store: { displays, node: store.node, onAvailable: store.onAvailable },
      timers,
      log,
    });
    closing.push(() => registry.close());
    return registry;
  };
  return {
    open,
    timers,
    fill(full: boolean) {
      isFull = full;
    },
  };
}

test.each([
  ["a revoked display", null],
  ["a suspended one", { ...record("wall"), suspended: true, changedAt: 2 }],
])("[AUTH-4] %s ends at once on a full disk, and is stored when there is room", async (_, ended) => {
  const { open, timers, fill } = harness();
  const registry = open();
  await registry.add(record("wall"));
  await registry.add(record("other"));
  const seen: unknown[] = [];
  registry.onChanged((change) => seen.push(change));
  fill(true);
  await expect(registry.end([{ id: "wall", record: ended }])).rejects.toThrow(StoreUnavailableError);
  expect(seen).toEqual([{ id: "wall", record: ended }]);
  expect(registry.byHash("hash of wall") ?? null).toEqual(ended);
  // Reading the store does not bring it back.
  await timers.pass(3 * DISPLAY_LIMITS.lookMs);
  expect(registry.byId("wall") ?? null).toEqual(ended);
  fill(false);
  await timers.pass(2 * DISPLAY_LIMITS.lookMs);
  const later = open();
  await later.look();
  expect(later.byId("wall") ?? null).toEqual(ended);
  expect(later.byId("other")).toEqual(record("other"));
});

test("[AUTH-4] a display that is in use again before its end could be stored stays in use", async () => {
  const { open, timers, fill } = harness();
  const registry = open();
  await registry.add(record("wall"));
  fill(true);
  const suspended = { ...record("wall"), suspended: true, changedAt: 2 };
  await expect(registry.end([{ id: "wall", record: suspended }])).rejects.toThrow(StoreUnavailableError);
  fill(false);
  const resumed = { ...record("wall"), suspended: false, changedAt: 3 };
  expect(await registry.replace(resumed)).toBe(true);
  await timers.pass(3 * DISPLAY_LIMITS.lookMs);
  expect(registry.byId("wall")).toEqual(resumed);
});

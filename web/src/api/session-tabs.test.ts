import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, it } from "vitest";
import { createFakeStorage } from "../testing/fake-storage.ts";
import { createLeaseLock, LEASE_MS } from "./session-tabs.ts";

function setUp() {
  const storage = createFakeStorage();
  const { items } = storage;
  const clock = createFakeClock();
  const sleepers: { at: number; wake: () => void }[] = [];
  const wait = (ms: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ at: clock.now() + ms, wake });
    });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 20) {
      clock.advance(20);
      for (const sleeper of sleepers.splice(0)) {
        if (sleeper.at <= clock.now()) sleeper.wake();
        else sleepers.push(sleeper);
      }
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
  };
  const random = seededRandom(3);
  return { items, pass, wait, open: () => createLeaseLock(storage, "lease", clock.now, wait, random) };
}

describe("lease lock", () => {
  it("[session] admits one tab at a time without a lock manager", async () => {
    const { open, pass, wait, items } = setUp();
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await wait(500);
      inside -= 1;
    };
    const all = Promise.all([open(), open(), open(), open()].map((lock) => lock.run(work)));
    await pass(10_000);
    await all;
    expect(most).toBe(1);
    expect(items.size).toBe(0);
  });

  it("[session] releases the lock of a dead tab after its lease", async () => {
    const { open, pass } = setUp();
    void open().run(() => new Promise<never>(() => undefined));
    await pass(200);
    let done = false;
    void open()
      .run(() => Promise.resolve())
      .then(() => {
        done = true;
      });
    await pass(LEASE_MS - 500);
    expect(done).toBe(false);
    await pass(1_500);
    expect(done).toBe(true);
  });
});

import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { ASK_EVERY_MS, keepAwake, type Visibility, type WakeLocks } from "./use-wall-screen.ts";

/** A document whose visibility the test controls. */
function createPage() {
  const listeners = new Set<() => void>();
  const page = {
    visibilityState: "visible",
    addEventListener: (_type: string, listener: () => void) => void listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => void listeners.delete(listener),
    turn(state: string) {
      page.visibilityState = state;
      for (const listener of [...listeners]) listener();
    },
    listeners,
  };
  return page satisfies Visibility & { turn(state: string): void };
}

function createLocks() {
  const held: { drop: () => void }[] = [];
  let refuses = false;
  const locks = {
    held,
    refuse: (does: boolean) => {
      refuses = does;
    },
    async request() {
      if (refuses) throw new Error("NotAllowedError");
      let notify: () => void = () => undefined;
      const lock = {
        drop() {
          held.splice(held.indexOf(lock), 1);
          notify();
        },
        addEventListener: (_type: string, listener: () => void) => {
          notify = listener;
        },
        release: async () => lock.drop(),
      };
      held.push(lock);
      return lock;
    },
  };
  return locks satisfies WakeLocks;
}
const createTimers = () => createFakeTimers(createFakeClock());
const settle = () => new Promise<void>((resolve) => setTimeout(resolve));

describe("screen wake lock", () => {
  it("[wall] takes the lock, and again when the page becomes visible", async () => {
    const [page, locks] = [createPage(), createLocks()];
    keepAwake(locks, page, createTimers());
    await settle();
    expect(locks.held).toHaveLength(1);
    page.visibilityState = "hidden";
    locks.held[0]?.drop();
    await settle();
    expect(locks.held).toHaveLength(0);
    page.turn("visible");
    await settle();
    expect(locks.held).toHaveLength(1);
  });

  it("[wall] holds one lock despite repeated checks, and asks again after a refusal", async () => {
    const [page, locks] = [createPage(), createLocks()];
    locks.refuse(true);
    keepAwake(locks, page, createTimers());
    await settle();
    locks.refuse(false);
    page.turn("visible");
    page.turn("visible");
    await settle();
    page.turn("visible");
    await settle();
    expect(locks.held).toHaveLength(1);
  });

  it("[wall] asks each minute for a refused lock while the page stays visible", async () => {
    const [page, locks, timers] = [createPage(), createLocks(), createTimers()];
    locks.refuse(true);
    const stop = keepAwake(locks, page, timers);
    await timers.pass(3 * ASK_EVERY_MS);
    expect(locks.held).toHaveLength(0);
    locks.refuse(false);
    await timers.pass(2 * ASK_EVERY_MS);
    expect(locks.held).toHaveLength(1);
    stop();
    locks.held.splice(0);
    await timers.pass(2 * ASK_EVERY_MS);
    expect(locks.held).toHaveLength(0);
  });

  it("[wall] releases the lock, also one granted after the end", async () => {
    const [page, locks] = [createPage(), createLocks()];
    const stop = keepAwake(locks, page, createTimers());
    stop();
    await settle();
    expect(locks.held).toHaveLength(0);
    expect(page.listeners.size).toBe(0);
  });
});

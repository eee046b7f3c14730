import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createHeld } from "./held.ts";

const MINUTE = 60_000;

function startHeld(create: () => Promise<void> = async () => undefined) {
  const timers = createFakeTimers(createFakeClock());
  const seen = { closed: 0, gone: 0, needed: false };
  const held = createHeld({
    create: async () => {
      await create();
      return {
        async close() {
          seen.closed += 1;
        },
      };
    },
    isNeeded: () => seen.needed,
    onGone() {
      seen.gone += 1;
    },
    onError: (error) => {
      throw error;
    },
    timers,
  });
  return { timers, seen, held };
}

test("[held] is closed once, a minute after its last use, unless it is needed", async () => {
  const { timers, seen, held } = startHeld();
  seen.needed = true;
  await held.use(async () => undefined);
  await timers.pass(3 * MINUTE);
  expect(seen).toMatchObject({ closed: 0, gone: 0 });
  seen.needed = false;
  await timers.pass(MINUTE);
  await held.close();
  expect(seen).toMatchObject({ closed: 1, gone: 1 });
});

test("[held] stays open during a use, however long it takes", async () => {
  const { timers, seen, held } = startHeld();
  const work = Promise.withResolvers<void>();
  const use = held.use(() => work.promise);
  await timers.pass(5 * MINUTE);
  expect(seen.closed).toBe(0);
  work.resolve();
  await use;
  await timers.pass(MINUTE);
  expect(seen.closed).toBe(1);
});

test("[held] is gone, and leaves no timer, when it cannot be created", async () => {
  const { timers, seen, held } = startHeld(() => Promise.reject(new Error("not now")));
  await expect(held.use(async () => undefined)).rejects.toThrow("not now");
  expect(seen).toMatchObject({ closed: 0, gone: 1 });
  expect(timers.pending).toBe(0);
});

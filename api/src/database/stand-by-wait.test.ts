import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { DatabaseError } from "./database.ts";
import { type AwaitedLock, NAMELESS, STAND_BY_TRIES_MS, waitForLock } from "./ownership.ts";

/** A lock of another process that is free at a time, and a server that is away in a span. Times are monotonic, ms. */
function createLock(freeAt: number, away: readonly [from: number, to: number] = [-1, -1]) {
  const clock = createFakeClock();
  const zero = clock.monotonic();
  const now = () => clock.monotonic() - zero;
  const lock: AwaitedLock = {
    async tryLock() {
      if (now() >= away[0] && now() < away[1]) throw new DatabaseError("away", "ECONNREFUSED");
      return now() >= freeAt ? null : "another";
    },
    reset: async () => undefined,
    wait: async (ms) => clock.advance(ms),
  };
  return { lock, now };
}

test("[KEEP-2] a stand-by has the lock at most half a second after it is free, whenever that is", async () => {
  for (let freeAt = 1; freeAt < 5_000; freeAt += 7) {
    const { lock, now } = createLock(freeAt);
    const holders: string[] = [];
    await waitForLock(lock, (holder) => void holders.push(holder));
    expect(now() - freeAt).toBeLessThanOrEqual(500);
    expect(holders).toEqual(["another"]);
  }
  expect(STAND_BY_TRIES_MS).toBe(500);
});

test("[KEEP-2] a stand-by names a holder once, also if it ends while it is asked about", async () => {
  const found = ["another", NAMELESS, "another", "a third", NAMELESS, null];
  const { lock } = createLock(0);
  const holders: string[] = [];
  await waitForLock(
    { ...lock, tryLock: async () => found.shift() ?? null },
    (holder) => void holders.push(holder),
  );
  expect(holders).toEqual(["another", "a third"]);
});

test("[KEEP-2] a stand-by outlives an outage of the database, and tries as often", async () => {
  const { lock, now } = createLock(3_000, [1_000, 60_000]);
  const holders: string[] = [];
  await waitForLock(lock, (holder) => void holders.push(holder));
  expect(now()).toBeLessThanOrEqual(60_500);
  expect(holders).toEqual(["another"]);
});

test("[KEEP-2] a database that is away at the start is an error", async () => {
  const { lock } = createLock(0, [0, 1]);
  await expect(waitForLock(lock, () => undefined)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

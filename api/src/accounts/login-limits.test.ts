import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { ApiError } from "../http/api-error.ts";
import { type LoginAttempt, LoginLimits } from "./login-limits.ts";

/** Limits whose delays are noted, and end when the test lets them. */
function createLimits() {
  const clock = createFakeClock();
  const delays: number[] = [];
  const ends: (() => void)[] = [];
  const limits = new LoginLimits(clock, (ms) => {
    delays.push(ms);
    return new Promise<void>((resolve) => ends.push(resolve));
  });
  const known = new Set<string>();
  const begin = (address: string, username: string): Promise<LoginAttempt> =>
    limits.begin({ address, username, isKnown: async () => known.has(address) });
  /** Return the seconds after which to retry; null where an attempt is allowed. */
  const refusal = async (address: string, username: string): Promise<number | null> => {
    const attempt = begin(address, username);
    for (const end of ends.splice(0)) end();
    try {
      (await attempt).end("unchecked");
      return null;
    } catch (error) {
      return error instanceof ApiError ? Number(error.retryAfter) : Number.NaN;
    }
  };
  /** Make an attempt with a wrong password. @returns its delay, ms; null where it was refused */
  const fail = async (address: string, username: string): Promise<number | null> => {
    delays.length = 0;
    const attempt = begin(address, username);
    await settled();
    for (const end of ends.splice(0)) end();
    try {
      (await attempt).end("wrong");
      return delays[0] ?? 0;
    } catch {
      return null;
    }
  };
  return { clock, limits, delays, ends, known, begin, refusal, fail };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("[SHARE-5] never locks a name: failures from many addresses only delay it, up to a limit", async () => {
  const { fail } = createLimits();
  const delays = [];
  for (let index = 0; index < 12; index += 1) delays.push(await fail(`10.0.0.${index}`, "kim"));
  expect(delays).toEqual([0, 0, 0, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
  expect(await fail("10.0.0.99", "lee")).toBe(0);
});

test("[SHARE-5] lets one delayed attempt of a name begin after another, and four wait", async () => {
  const { begin, delays, ends, fail } = createLimits();
  for (let index = 0; index < 3; index += 1) await fail(`10.0.1.${index}`, "kim");
  const attempts = Array.from({ length: 40 }, (_, index) => begin(`10.0.0.${index}`, "kim"));
  const refused = await Promise.all(
    attempts.slice(4).map((one) =>
      one.then(
        () => false,
        () => true,
      ),
    ),
  );
  expect(refused).toEqual(Array(36).fill(true));
  for (let turn = 0; turn < 4; turn += 1) {
    expect(delays).toHaveLength(turn + 1);
    ends[turn]?.();
    const attempt = await attempts[turn];
    await settled();
    // The next one waits until this one is checked.
    expect(delays).toHaveLength(turn + 1);
    attempt?.end("wrong");
    await settled();
  }
});

test("[SHARE-5] delays no attempt at an address that has signed in before, however long the queue of the name", async () => {
  const { begin, delays, known, fail } = createLimits();
  for (let index = 0; index < 3; index += 1) await fail(`10.0.1.${index}`, "kim");
  for (let index = 0; index < 10; index += 1) begin(`10.0.0.${index}`, "kim").catch(() => undefined);
  await settled();
  known.add("192.0.2.7");
  delays.length = 0;
  (await begin("192.0.2.7", "kim")).end("right");
  expect(delays).toEqual([]);
});

test("[SHARE-5] lets 64 attempts of all names be delayed at the same time; others still begin at once", async () => {
  const { begin, fail } = createLimits();
  for (let name = 0; name < 30; name += 1) {
    for (let index = 0; index < 3; index += 1) await fail(`10.${name}.1.${index}`, `name-${name}`);
  }
  let refused = 0;
  for (let name = 0; name < 30; name += 1) {
    for (let index = 0; index < 4; index += 1) {
      begin(`10.${name}.2.${index}`, `name-${name}`).catch(() => {
        refused += 1;
      });
    }
  }
  await settled();
  expect(refused).toBe(30 * 4 - 64);
  (await begin("192.0.2.7", "lee")).end("right");
});

test("[SHARE-5] refuses one address and name for ten minutes after ten failures; other names remain allowed", async () => {
  const { clock, fail, refusal } = createLimits();
  for (let index = 0; index < 10; index += 1) expect(await fail("10.0.0.1", "kim")).not.toBeNull();
  expect(await refusal("10.0.0.1", "kim")).toBe(600);
  expect(await refusal("10.0.0.1", "lee")).toBeNull();
  clock.advance(600_000);
  expect(await refusal("10.0.0.1", "kim")).toBeNull();
});

test.each([
  ["an IPv4 address", () => "10.0.0.1", 10],
  ["a home's network of 64 bits", (index: number) => `2001:db8:1:2::${index.toString(16)}`, 10],
])(
  "[SHARE-5] counts four hundred simultaneous attempts of %s: at most ten are allowed",
  async (_of, addressOf, most) => {
    const { begin, ends } = createLimits();
    let allowed = 0;
    for (let index = 0; index < 400; index += 1) {
      begin(addressOf(index), "kim").then(
        (attempt) => {
          allowed += 1;
          attempt.end("wrong");
        },
        () => undefined,
      );
    }
    for (let turn = 0; turn < 10; turn += 1) {
      await settled();
      for (const end of ends.splice(0)) end();
    }
    expect(allowed).toBeLessThanOrEqual(most);
    expect(allowed).toBeGreaterThanOrEqual(3);
  },
);

test.each([
  ["an IPv4 address", () => "10.0.0.1"],
  [
    "a home's connection of 56 bits",
    (index: number) => `2001:db8:1:2${index.toString(16).padStart(2, "0")}::1`,
  ],
])("[SHARE-5] refuses %s that guesses many names", async (_of, addressOf) => {
  const { fail, refusal } = createLimits();
  for (let index = 0; index < 60; index += 1) await fail(addressOf(index), `name-${index}`);
  expect(await refusal(addressOf(99), "fresh")).toBe(600);
  expect(await refusal("2001:db8:2::1", "fresh")).toBeNull();
});

test("[SHARE-5] a success clears the failures of that name, and an unchecked attempt does not count", async () => {
  const { begin, fail, ends, refusal } = createLimits();
  for (let index = 0; index < 6; index += 1) await fail("10.0.0.1", "kim");
  const attempt = begin("10.0.0.1", "kim");
  await settled();
  ends.at(-1)?.();
  (await attempt).end("right");
  expect(await fail("10.0.0.1", "kim")).toBe(0);
  for (let index = 0; index < 50; index += 1) expect(await refusal("10.0.0.1", "kim")).toBeNull();
});

test("[SHARE-5] limits successes too, far above normal use", async () => {
  const { begin } = createLimits();
  let right = 0;
  for (let index = 0; index < 301; index += 1) {
    await begin("10.0.0.1", "kim").then(
      (attempt) => {
        attempt.end("right");
        right += 1;
      },
      () => undefined,
    );
  }
  expect(right).toBe(300);
});

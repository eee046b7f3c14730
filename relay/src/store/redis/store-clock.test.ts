import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createStoreClock } from "./store-clock.ts";

test("[RUN-4] store time is that of Redis, with any clock of the machine", () => {
  const clock = createFakeClock();
  const time = createStoreClock(clock);
  expect(time.now()).toBe(clock.now());
  const askedAt = clock.monotonic();
  clock.advance(20);
  time.measured(1_000_000, askedAt);
  expect(time.now()).toBe(1_000_010);
  clock.jump(60_000);
  clock.advance(500);
  expect(time.now()).toBe(1_000_510);
});

test("[RUN-4] a slow answer moves store time only where it contradicts it", () => {
  const clock = createFakeClock();
  const time = createStoreClock(clock);
  time.measured(1_000_000, clock.monotonic());
  const askedAt = clock.monotonic();
  clock.advance(400);
  time.measured(1_000_100, askedAt);
  expect(time.now()).toBe(1_000_400);
  time.measured(2_000_000, clock.monotonic());
  expect(time.now()).toBe(2_000_000);
});

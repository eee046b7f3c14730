import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createInterests } from "./interests.ts";

function createHarness() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const changed: string[] = [];
  const interests = createInterests({
    clock,
    timers,
    onChanged: (accountId) => void changed.push(accountId),
  });
  return { interests, timers, changed };
}

const FIVE_MINUTES = 5 * 60_000;
/** ms until the next check for inactive viewers. */
const LOOK = 15_000;

test("[POLL-1] a viewer inactive for five minutes watches nothing, but is still counted", async () => {
  const { interests, timers, changed } = createHarness();
  const one = interests.add("a", "t1");
  one.track(new Set(["sensor:1"]));
  const two = interests.add("a", "t2");
  two.track(new Set(["sensor:2"]));
  await timers.pass(FIVE_MINUTES - 1_000);
  two.active();
  changed.length = 0;
  await timers.pass(LOOK);
  expect(interests.of("a").interest).toEqual({ count: 2, active: true, keys: new Set(["sensor:2"]) });
  expect(changed).toEqual(["a"]);
  await timers.pass(FIVE_MINUTES);
  expect(interests.of("a").interest).toEqual({ count: 2, active: false, keys: new Set() });
  expect(changed).toEqual(["a", "a"]);
});

test("[POLL-1] reports nothing while a viewer stays active, and a returning one at once", async () => {
  const { interests, timers, changed } = createHarness();
  const viewer = interests.add("a", "t1");
  changed.length = 0;
  for (let minute = 0; minute < 10; minute += 1) {
    await timers.pass(60_000);
    viewer.active();
  }
  expect(changed).toEqual([]);
  await timers.pass(FIVE_MINUTES + LOOK);
  viewer.active();
  expect(changed).toEqual(["a", "a"]);
  expect(interests.of("a").interest).toEqual({ count: 1, active: true, keys: undefined });
});

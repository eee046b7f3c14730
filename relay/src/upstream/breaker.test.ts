import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeTimers } from "../testing/fake-timers.ts";
import { passTime } from "../testing/settle.ts";
import { createBreaker } from "./breaker.ts";

function harness() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const start = clock.monotonic();
  const probes: number[] = [];
  const states: string[] = [];
  let answers = true;
  const breaker = createBreaker({
    timers,
    random: () => 1,
    async probe() {
      probes.push(clock.monotonic() - start);
      return answers;
    },
    onChange: (state) => states.push(state),
  });
  return {
    timers,
    breaker,
    probes,
    states,
    answer(does: boolean) {
      answers = does;
    },
  };
}

test("[POLL-3] starts open, and closes with the first answer", async () => {
  const { breaker, timers, states } = harness();
  expect(breaker.open).toBe(true);
  await passTime(timers, 1);
  expect(breaker.open).toBe(false);
  expect(states).toEqual(["half-open", "closed"]);
});

test("[POLL-3] opens after three faults in a row; one answer in between restarts the count", async () => {
  const { breaker, timers } = harness();
  await passTime(timers, 1);
  breaker.failed();
  breaker.failed();
  breaker.succeeded();
  breaker.failed();
  breaker.failed();
  expect(breaker.open).toBe(false);
  breaker.failed();
  expect(breaker.open).toBe(true);
});

test("[POLL-3] sends a single probe at a time, with growing gaps up to 30 s", async () => {
  const { breaker, timers, probes, answer } = harness();
  answer(false);
  await passTime(timers, 122_000);
  expect(probes.map((at) => Math.round(at / 1_000))).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121]);
  answer(true);
  await passTime(timers, 30_000);
  expect(breaker.open).toBe(false);
});

test("[POLL-3] closes after an answer to any call, and stops the probes", async () => {
  const { breaker, timers, probes, answer } = harness();
  answer(false);
  await passTime(timers, 1);
  breaker.succeeded();
  await passTime(timers, 120_000);
  expect(breaker.open).toBe(false);
  expect(probes).toHaveLength(1);
});

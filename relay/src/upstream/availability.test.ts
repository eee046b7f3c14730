import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createAvailability } from "./availability.ts";
import {
  UpstreamAnswerError,
  type UpstreamError,
  UpstreamStatusError,
  UpstreamUnreachableError,
} from "./errors.ts";

const silent = new UpstreamUnreachableError("away", "timeout", { mayHaveExecuted: false });
const status = (code: number): UpstreamError => new UpstreamStatusError(`answered ${code}`, code, "", null);
const foreign = new UpstreamAnswerError("no JSON");

function createHarness() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const start = clock.monotonic();
  const probes: number[] = [];
  const states: string[] = [];
  const failures: boolean[] = [];
  let answer: UpstreamError | null = null;
  let answerOfList: UpstreamError | null = null;
  const fail = (error: UpstreamError | null) => async () => {
    if (error) throw error;
  };
  const availability = createAvailability({
    timers,
    random: () => 1,
    async probe() {
      probes.push(clock.monotonic() - start);
      await fail(answer)();
    },
    onFailure: (isFault) => failures.push(isFault),
    onChange: (state) => states.push(state),
  });
  return {
    availability,
    timers,
    probes,
    states,
    failures,
    /** Set the answer to probes; null is a good one. */
    answer(error: UpstreamError | null) {
      answer = error;
    },
    /** Set the answer to a repeated call. */
    answerList(error: UpstreamError | null) {
      answerOfList = error;
    },
    fail(
      error: UpstreamError,
      unit = "sensors",
      again: (() => Promise<unknown>) | null = () => fail(answerOfList)(),
    ) {
      availability.failed(error, { unit, again });
    },
  };
}

async function createReachable() {
  const harness = createHarness();
  await harness.timers.pass(1);
  expect(harness.availability.isUp).toBe(true);
  return harness;
}

test("[POLL-3] is down at the start, and up with the first answer", async () => {
  const { availability, timers, states } = createHarness();
  expect(availability.isUp).toBe(false);
  await timers.pass(1);
  expect(availability.isUp).toBe(true);
  expect(states).toEqual(["probing", "up"]);
});

test.each([
  ["silence", silent],
  ["a gateway's 502", status(502)],
  ["a gateway's 503", status(503)],
  ["a gateway's 504", status(504)],
])(
  "[POLL-3] is down after three times %s in a row; one answer in between restarts the count",
  async (_, error) => {
    const { availability, fail, failures } = await createReachable();
    fail(error, "history");
    fail(error, "history");
    availability.answered("history");
    fail(error, "history");
    fail(error, "history");
    expect(availability.isUp).toBe(true);
    fail(error, "history");
    expect(availability.isUp).toBe(false);
    expect(failures).toEqual([true, true, true, true, true]);
  },
);

test("[POLL-3] sends a single probe at a time, with growing gaps up to 30 s", async () => {
  const { availability, timers, probes, answer, fail } = await createReachable();
  answer(silent);
  for (const unit of ["history", "history", "history"]) fail(silent, unit);
  await timers.pass(122_000);
  expect(probes.map((at) => Math.round(at / 1_000))).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121]);
  answer(null);
  await timers.pass(30_000);
  expect(availability.isUp).toBe(true);
});

test("[POLL-3] looks for an API that has not been there yet every 2 s", async () => {
  const { availability, timers, probes, answer } = createHarness();
  answer(silent);
  await timers.pass(10_000);
  expect(probes.map((at) => Math.round(at / 1_000))).toEqual([0, 1, 3, 5, 7, 9]);
  answer(null);
  await timers.pass(2_000);
  expect(availability.isUp).toBe(true);
});

test("[POLL-3] is up after an answer to any call, and stops the probes", async () => {
  const { availability, timers, probes, answer } = createHarness();
  answer(silent);
  await timers.pass(1);
  availability.answered("farms");
  await timers.pass(120_000);
  expect(availability.isUp).toBe(true);
  expect(probes).toHaveLength(1);
});

test.each([
  ["500", status(500)],
  ["a foreign page", foreign],
])(
  "[POLL-3] is down while %s answers every call, and up once the sensors are served again",
  async (_, error) => {
    const { availability, fail, timers, answerList } = await createReachable();
    answerList(error);
    fail(error, "sensors");
    fail(error, "farms");
    expect(availability.isUp).toBe(true);
    fail(error, "notifications");
    expect(availability.isUp).toBe(false);
    // The probe itself is answered, and so is the request for capabilities: neither proves live values.
    availability.answered("capabilities");
    await timers.pass(60_000);
    expect(availability.isUp).toBe(false);
    answerList(null);
    await timers.pass(60_000);
    expect(availability.isUp).toBe(true);
  },
);

test("[POLL-3] a refused token is an answer of a working API", async () => {
  const { availability, fail, timers, answerList } = await createReachable();
  for (let call = 0; call < 3; call += 1) fail(status(500));
  expect(availability.isUp).toBe(false);
  answerList(status(401));
  await timers.pass(60_000);
  expect(availability.isUp).toBe(true);
});

test("[POLL-3] stays up while only calls that a plain API lacks are faulty, however many", async () => {
  const { availability, fail, failures } = await createReachable();
  for (const unit of ["latest-mqtt", "refresh", "moisture", "notifications", "farms"])
    fail(status(500), unit);
  expect(availability.isUp).toBe(true);
  expect(failures).toEqual([true, true, true, true, true]);
});

test("[POLL-3] ignores faulty answers to calls without live values and to calls with side effects", async () => {
  const { availability, fail, failures } = await createReachable();
  for (let call = 0; call < 5; call += 1) fail(status(500), "capabilities");
  for (let call = 0; call < 5; call += 1) fail(status(500), "sensors", null);
  for (let call = 0; call < 5; call += 1) fail(status(429));
  expect(availability.isUp).toBe(true);
  expect(failures).not.toContain(true);
});

test("[POLL-3] sends nothing after it was closed", async () => {
  const { availability, timers, probes, answer } = createHarness();
  answer(silent);
  await timers.pass(1);
  availability.close();
  await timers.pass(120_000);
  expect(probes).toHaveLength(1);
});

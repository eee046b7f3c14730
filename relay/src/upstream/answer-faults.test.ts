import { expect, test } from "vitest";
import { createAnswerFaults, isAnswerFault } from "./answer-faults.ts";
import { UpstreamAnswerError, UpstreamStatusError, UpstreamUnreachableError } from "./errors.ts";

const broken = new UpstreamStatusError("sensor/list answered 500", 500, "internal", null);

test("[POLL-3] an API that fails every call counts as unavailable, until one call succeeds", async () => {
  const faults = createAnswerFaults();
  let answer: unknown = broken;
  const again = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  faults.failed({ unit: "sensors", again });
  faults.failed({ unit: "farms", again });
  expect(faults.isAll).toBe(false);
  faults.failed({ unit: "notifications", again });
  expect(faults.isAll).toBe(true);
  expect(await faults.isServed()).toBe(false);
  answer = new UpstreamStatusError("sensor/list answered 401", 401, "unauthorized", null);
  expect(await faults.isServed()).toBe(true);
  answer = [];
  expect(await faults.isServed()).toBe(true);
  // An answer to the capabilities request changes nothing.
  faults.succeeded("capabilities");
  expect(faults.isAll).toBe(true);
  faults.succeeded("farms");
  expect(faults.isAll).toBe(false);
});

test("[POLL-3] an API that lacks calls of others, however many, is not unavailable", async () => {
  const faults = createAnswerFaults();
  const again = async () => undefined;
  for (const unit of ["latest-mqtt", "refresh", "moisture", "notifications", "farms"]) {
    expect(faults.failed({ unit, again })).toBe(true);
  }
  expect(faults.isAll).toBe(false);
  expect(await faults.isServed()).toBe(true);
});

test("[POLL-3] calls without live values and calls with side effects do not count", () => {
  const faults = createAnswerFaults();
  expect(faults.failed({ unit: "capabilities", again: async () => undefined })).toBe(false);
  expect(faults.failed({ unit: "sensors", again: null })).toBe(false);
});

test("[POLL-3] an answer is a fault if its status is 500 or more, or its content violates the contract", () => {
  const unreachable = new UpstreamUnreachableError("away", "timeout", { mayHaveExecuted: false });
  expect([broken, new UpstreamAnswerError("no JSON")].map(isAnswerFault)).toEqual([true, true]);
  const others = [unreachable, new UpstreamStatusError("too many", 429, "too-many-requests", null)];
  expect(others.map(isAnswerFault)).toEqual([false, false]);
});

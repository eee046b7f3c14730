import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createLoginLimits, type LoginLimits } from "./login-limits.ts";

/** Make a failed attempt. @returns its delay in ms; null where it was refused */
function fail(limits: LoginLimits, address: string, name: string): number | null {
  const attempt = limits.begin(address, name);
  return "retryAfter" in attempt ? null : attempt.delayMs;
}
/** Return the seconds after which to retry; null where an attempt is allowed, which is then withdrawn. */
function refusal(limits: LoginLimits, address: string, name: string): number | null {
  const attempt = limits.begin(address, name);
  if ("retryAfter" in attempt) return attempt.retryAfter;
  attempt.withdrawn();
  return null;
}
function succeed(limits: LoginLimits, address: string, name: string): boolean {
  const attempt = limits.begin(address, name);
  if ("retryAfter" in attempt) return false;
  attempt.succeeded();
  return true;
}

test("[login] never locks a name: failures from many addresses only delay it, up to a limit", () => {
  const limits = createLoginLimits(createFakeClock());
  const delays = Array.from({ length: 12 }, (_, index) => fail(limits, `10.0.0.${index}`, "kim"));
  expect(delays).toEqual([0, 0, 0, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
  expect(fail(limits, "10.0.0.99", "lee")).toBe(0);
});

test("[login] refuses one address and name for ten minutes after ten failures; other names remain allowed", () => {
  const clock = createFakeClock();
  const limits = createLoginLimits(clock);
  for (let index = 0; index < 10; index += 1) expect(fail(limits, "10.0.0.1", "kim")).not.toBeNull();
  expect(refusal(limits, "10.0.0.1", "kim")).toBe(600);
  expect(refusal(limits, "10.0.0.1", "lee")).toBeNull();
  expect(refusal(limits, "10.0.0.2", "kim")).toBeNull();
  clock.advance(600_000);
  expect(refusal(limits, "10.0.0.1", "kim")).toBeNull();
});

test("[login] counts four hundred simultaneous attempts before answering any: ten are allowed", () => {
  const limits = createLoginLimits(createFakeClock());
  const begun = Array.from({ length: 400 }, () => limits.begin("10.0.0.1", "kim"));
  expect(begun.filter((attempt) => !("retryAfter" in attempt))).toHaveLength(10);
});

test("[login] refuses an address that guesses many names", () => {
  const limits = createLoginLimits(createFakeClock());
  for (let index = 0; index < 60; index += 1) fail(limits, "10.0.0.1", `name-${index}`);
  expect(refusal(limits, "10.0.0.1", "fresh")).toBe(600);
});

test("[login] a success clears the failures of that name, and a withdrawn attempt does not count", () => {
  const limits = createLoginLimits(createFakeClock());
  for (let index = 0; index < 6; index += 1) fail(limits, "10.0.0.1", "kim");
  expect(succeed(limits, "10.0.0.1", "kim")).toBe(true);
  expect(fail(limits, "10.0.0.1", "kim")).toBe(0);
  for (let index = 0; index < 50; index += 1) expect(refusal(limits, "10.0.0.1", "kim")).toBeNull();
});

test("[login] limits successes too, far above normal use", () => {
  const limits = createLoginLimits(createFakeClock());
  const answers = Array.from({ length: 301 }, () => succeed(limits, "10.0.0.1", "kim"));
  expect(answers.filter(Boolean)).toHaveLength(300);
});

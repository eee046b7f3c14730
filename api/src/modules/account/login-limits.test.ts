import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createLoginLimits } from "./login-limits.ts";

test("[login] a name is never locked: failures from many addresses only make it slower, up to a limit", () => {
  const limits = createLoginLimits(createFakeClock());
  const delays: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    expect(limits.refuses(`10.0.0.${index}`, "kim")).toBeNull();
    delays.push(limits.delayMs("kim"));
    limits.failed(`10.0.0.${index}`, "kim");
  }
  expect(delays).toEqual([0, 0, 0, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
  expect(limits.delayMs("lee")).toBe(0);
});

test("[login] ten failures of one address with one name are enough for ten minutes, other names may still try", () => {
  const clock = createFakeClock();
  const limits = createLoginLimits(clock);
  for (let index = 0; index < 10; index += 1) {
    expect(limits.refuses("10.0.0.1", "kim")).toBeNull();
    limits.failed("10.0.0.1", "kim");
  }
  expect(limits.refuses("10.0.0.1", "kim")).toBe(600);
  expect(limits.refuses("10.0.0.1", "lee")).toBeNull();
  expect(limits.refuses("10.0.0.2", "kim")).toBeNull();
  clock.advance(600_000);
  expect(limits.refuses("10.0.0.1", "kim")).toBeNull();
});

test("[login] an address that guesses many names is refused", () => {
  const limits = createLoginLimits(createFakeClock());
  for (let index = 0; index < 60; index += 1) limits.failed("10.0.0.1", `name-${index}`);
  expect(limits.refuses("10.0.0.1", "fresh")).toBe(600);
});

test("[login] success forgets the failures of that name", () => {
  const limits = createLoginLimits(createFakeClock());
  for (let index = 0; index < 6; index += 1) limits.failed("10.0.0.1", "kim");
  limits.succeeded("10.0.0.1", "kim");
  expect(limits.delayMs("kim")).toBe(0);
  expect(limits.refuses("10.0.0.1", "kim")).toBeNull();
});

test("[login] successes are limited too, far above what a person does", () => {
  const limits = createLoginLimits(createFakeClock());
  const answers = Array.from({ length: 301 }, () => limits.refuses("10.0.0.1", "kim"));
  expect(answers.filter((answer) => answer === null)).toHaveLength(300);
});

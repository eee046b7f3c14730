import { expect, it } from "vitest";
import type { Mode } from "../../../api/modes.ts";
import { switchOthersOff } from "./use-mode-calls.ts";

/**
 * Simulate a channel that reports these modes, one answer after another. The last answer repeats until a
 * reset.
 */
function channel(answers: readonly (readonly Mode[] | null)[], obeys = true) {
  const resets: Mode[] = [];
  let asked = 0;
  return {
    resets,
    asked: () => asked,
    async read() {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? null;
      asked += 1;
      return answer && obeys ? answer.filter((mode) => !resets.includes(mode)) : answer;
    },
    async reset(mode: Mode) {
      resets.push(mode);
    },
    pause: () => Promise.resolve(),
  };
}

it("[MODE-4] resets every other mode that is still on, and verifies the reset", async () => {
  const calls = channel([["automatic", "period", "reservation"]]);
  expect(await switchOthersOff("reservation", calls)).toEqual([]);
  expect(calls.resets).toEqual(["automatic", "period"]);
  expect(calls.asked()).toBe(2);
});

it("[MODE-4] waits for an API that switches the others off by itself, and clears nothing", async () => {
  const calls = channel([["automatic"], ["automatic"], ["reservation"]]);
  expect(await switchOthersOff("reservation", calls)).toEqual([]);
  expect(calls.resets).toEqual([]);
});

it("[MODE-4] names a mode that stays on after its reset", async () => {
  const calls = channel([["automatic", "reservation"]], false);
  expect(await switchOthersOff("reservation", calls)).toEqual(["automatic"]);
  expect(calls.resets).toEqual(["automatic"]);
});

it("[MODE-4] resets nothing if modes are not reported", async () => {
  const calls = channel([null]);
  expect(await switchOthersOff("reservation", calls)).toBeNull();
  expect(calls.resets).toEqual([]);
});

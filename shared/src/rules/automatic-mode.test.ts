import { describe, expect, it } from "vitest";
import { automaticNext, isDry, MIN_PAUSE_MS, opensBelow, pauseAfter } from "./automatic-mode.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 23, 3, 41);
const both = { lowerBound: 30, upperBound: 35, wateringDuration: 5 };
const upper = { lowerBound: null, upperBound: 35, wateringDuration: 20 };

describe("the automatic mode", () => {
  it("[AUTO-2, AUTO-3] opens below its lower bound, or with an upper one alone 3 points below that", () => {
    expect([opensBelow(both), opensBelow(upper)]).toEqual([30, 32]);
    expect([29.9, 30].map((moisture) => isDry(both, moisture))).toEqual([true, false]);
    expect([31.9, 32].map((moisture) => isDry(upper, moisture))).toEqual([true, false]);
    expect(isDry({ lowerBound: null, upperBound: null }, 0)).toBe(false);
  });

  it("[MODE-1] opens at once when switched on while it is dry", () => {
    expect(automaticNext(both, 27.9, null, NOW)).toEqual({ kind: "opens" });
    expect(automaticNext(both, 27.9, NOW - 10 * MINUTE, NOW)).toEqual({ kind: "opens" });
  });

  it("[AUTO-5] pauses after a run for as long as it may run, at least 10 minutes, whatever ended the run", () => {
    expect([pauseAfter(5 * MINUTE), pauseAfter(20 * MINUTE)]).toEqual([MIN_PAUSE_MS, 20 * MINUTE]);
    const end = NOW - 2 * MINUTE;
    expect(automaticNext(both, 29.8, end, NOW)).toEqual({ kind: "opens-after", at: end + 10 * MINUTE });
    expect(automaticNext(upper, 29.8, end, NOW)).toEqual({ kind: "opens-after", at: end + 20 * MINUTE });
  });

  it("[MODE-2] waits for the bound while it is wet enough, also in a pause", () => {
    expect(automaticNext(both, 31, null, NOW)).toEqual({ kind: "waits", below: 30, notBefore: null });
    const end = NOW - MINUTE;
    expect(automaticNext(both, 31, end, NOW)).toEqual({
      kind: "waits",
      below: 30,
      notBefore: end + 10 * MINUTE,
    });
  });

  it("[MODE-2] promises nothing without a bound or a moisture", () => {
    expect(automaticNext(both, null, null, NOW)).toEqual({ kind: "unknown" });
    expect(automaticNext({ ...both, lowerBound: null, upperBound: null }, 20, null, NOW)).toEqual({
      kind: "unknown",
    });
  });
});

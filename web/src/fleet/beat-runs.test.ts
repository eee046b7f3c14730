import { expect, it } from "vitest";
import { beatPath, beatRuns, heardShare } from "./beat-runs.ts";

it("[fleet] a heartbeat bar is stretches of heard, silent and unseen half-hours", () => {
  const runs = beatRuns("--110");
  expect(runs).toEqual([
    { kind: "unseen", from: 0, count: 2 },
    { kind: "heard", from: 2, count: 2 },
    { kind: "silent", from: 4, count: 1 },
  ]);
  expect(beatRuns("")).toEqual([]);
  expect(beatPath(runs, "heard", 0, 8)).toBe("M2 0h2V8h-2z");
  expect(beatPath(runs, "silent", 5, 8)).toBe("M4 5h1V8h-1z");
});

it("[fleet] its share counts only half-hours in which somebody looked", () => {
  expect(heardShare("--1110")).toBe(0.75);
  expect(heardShare("----")).toBeNull();
});

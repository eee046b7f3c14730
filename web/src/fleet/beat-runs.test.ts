import { expect, it } from "vitest";
import { beatGradient, beatRuns, heardShare } from "./beat-runs.ts";

it("[fleet] a heartbeat bar is stretches of heard, silent and unseen half-hours", () => {
  const runs = beatRuns("--110");
  expect(runs).toEqual([
    { kind: "unseen", from: 0, count: 2 },
    { kind: "heard", from: 2, count: 2 },
    { kind: "silent", from: 4, count: 1 },
  ]);
  expect(beatRuns("")).toEqual([]);
  expect(beatGradient(runs, "heard", "teal")).toBe(
    "linear-gradient(90deg, #0000 0 40%, teal 0 80%, #0000 0 100%)",
  );
  expect(beatGradient(runs, "silent", "red")).toBe(
    "linear-gradient(90deg, #0000 0 40%, #0000 0 80%, red 0 100%)",
  );
  expect(beatGradient([], "silent", "red")).toBe("none");
});

it("[fleet] its share counts only half-hours in which somebody looked", () => {
  expect(heardShare("--1110")).toBe(0.75);
  expect(heardShare("----")).toBeNull();
});

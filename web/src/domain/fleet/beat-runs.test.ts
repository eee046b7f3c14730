import { expect, it } from "vitest";
import { beatGradient, beatRuns, reportedShare } from "./HeartbeatBar.tsx";

it("[fleet] splits a heartbeat bar into runs of reporting, silent and unobserved half-hours", () => {
  const runs = beatRuns("--110");
  expect(runs).toEqual([
    { kind: "unseen", from: 0, count: 2 },
    { kind: "reported", from: 2, count: 2 },
    { kind: "silent", from: 4, count: 1 },
  ]);
  expect(beatRuns("")).toEqual([]);
  expect(beatGradient(runs, "reported", "teal")).toBe(
    "linear-gradient(90deg, #0000 0 40%, teal 0 80%, #0000 0 100%)",
  );
  expect(beatGradient(runs, "silent", "red")).toBe(
    "linear-gradient(90deg, #0000 0 40%, #0000 0 80%, red 0 100%)",
  );
  expect(beatGradient([], "silent", "red")).toBe("none");
});

it("[fleet] computes the share from observed half-hours only", () => {
  expect(reportedShare("--1110")).toBe(0.75);
  expect(reportedShare("----")).toBeNull();
});

import { expect, test } from "vitest";
import type { StateValue } from "../store/streams.ts";
import { alarmsOf } from "./reports.ts";

test("[fleet] counts the active alarms of an account, not those that are over and wait for its acknowledgement", () => {
  const state = new Map<string, StateValue>([
    ["alarm:1", { priority: 1, active: false }],
    ["alarm:2", { priority: 3, active: true }],
    ["alarm:3", { priority: 2, active: true }],
    ["sensor:1", {}],
  ]);
  expect(alarmsOf(state.keys(), (key) => state.get(key))).toEqual({ count: 2, worst: 2 });
  expect(alarmsOf(["alarm:1"], (key) => state.get(key))).toEqual({ count: 0, worst: null });
});

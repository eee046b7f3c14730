import { expect, test } from "vitest";
import { createFakeWriter } from "../../testing/valves/fake-writer.ts";
import type { StateValue } from "../store/streams.ts";
import { createAccountState } from "./account-state.ts";

function harness() {
  const writer = createFakeWriter();
  const state = createAccountState(writer);
  const changes: [key: string, fields: StateValue | undefined][] = [];
  state.on("changed", (...change) => changes.push(change));
  return { writer, state, changes };
}

test("[SUB-1] emits the changed fields of a patch, and none for a whole or a removed value", () => {
  const { state, changes } = harness();
  state.set("sensor:1", { n: 1, m: 1 });
  state.patch("sensor:1", { n: 2, m: 1 });
  state.del("sensor:1");
  expect(changes).toEqual([
    ["sensor:1", undefined],
    ["sensor:1", { n: 2 }],
    ["sensor:1", undefined],
  ]);
});

test("[SUB-1] emits nothing for writes that change nothing", () => {
  const { state, changes } = harness();
  state.set("sensor:1", { n: 1 });
  changes.length = 0;
  state.set("sensor:1", { n: 1 });
  state.patch("sensor:1", { n: 1 });
  state.del("sensor:2");
  expect(changes).toEqual([]);
});

test("[ALM-6] a listener sees the change already made, before the write returns", () => {
  const { state, writer } = harness();
  const seen: unknown[] = [];
  state.on("changed", (key) => seen.push(state.get(key)));
  state.on("published", ({ kind }) => seen.push([kind, writer.events.length]));
  state.set("sensor:1", { n: 1 });
  state.event({ kind: "flip", at: "2026-07-01T00:00:00.000Z", key: "sensor:1", online: true, last: null });
  expect(seen).toEqual([{ n: 1 }, ["flip", 1]]);
});

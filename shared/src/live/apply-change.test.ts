import { expect, it } from "vitest";
import { applyChange, applySnapshotPart, type StateCopy } from "./apply-change.ts";

const copyOf = (): StateCopy => new Map([["sensor:1", { at: "a", quality: "fresh" }]]);

it("[SUB-1] applies a frame only at its own offset", () => {
  const copy = copyOf();
  const frame = {
    t: "change",
    stream: "devices",
    from: 4,
    offset: 5,
    set: { "sensor:2": { at: "b" } },
  } as const;
  expect(applyChange(copy, 3, { ...frame })).toEqual({ applied: false });
  expect(copy.has("sensor:2")).toBe(false);
  expect(applyChange(copy, 4, { ...frame })).toEqual({ applied: true, keys: ["sensor:2"] });
});

it("[SUB-1] replaces top-level fields by a patch and removes keys", () => {
  const copy = copyOf();
  applyChange(copy, 0, {
    t: "change",
    stream: "devices",
    from: 0,
    offset: 1,
    patch: { "sensor:1": { quality: "late" }, "sensor:9": { at: "c" } },
    del: ["sensor:7"],
  });
  expect(copy.get("sensor:1")).toEqual({ at: "a", quality: "late" });
  expect(copy.get("sensor:9")).toEqual({ at: "c" });
  applyChange(copy, 1, { t: "change", stream: "devices", from: 1, offset: 2, del: ["sensor:1"] });
  expect(copy.has("sensor:1")).toBe(false);
});

it("[SLOW-3] starts empty with the first part of a snapshot and adds the others", () => {
  const copy = copyOf();
  applySnapshotPart(copy, 1, { "sensor:2": { at: "x" } });
  applySnapshotPart(copy, 2, { "sensor:3": { at: "y" } });
  expect([...copy.keys()]).toEqual(["sensor:2", "sensor:3"]);
});

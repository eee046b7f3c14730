import { expect, test } from "vitest";
import { readStreams } from "./stored-streams.ts";

const VALUE = JSON.stringify({ info: { id: "s1" }, quality: "fresh" });
const EVENT = { id: "e1", at: "2026-11-22T03:00:00.000Z", kind: "flip", deviceKey: "sensor:s1", to: "late" };
const NOW = Date.parse(EVENT.at);

const replyOf = (text: string): unknown => [
  ["epoch", "7", "2", "", ""],
  ["sensor:s1", VALUE, "sensor:s2", text],
  ["sensor:s1", "3", "sensor:s2", "7"],
  ["sensor:s3", "5"],
  ["sensor:s3", String(NOW - 4_000)],
  [],
];

test("[NODE-2] reads values with their offsets, and deleted keys with their age", () => {
  const { devices } = readStreams(replyOf(VALUE), NOW, 10_000);
  expect(devices).toMatchObject({ epoch: "epoch", offset: 7, floor: 2 });
  expect(devices?.values.get("sensor:s1")).toEqual({ value: JSON.parse(VALUE), offset: 3 });
  expect(devices?.tombstones.get("sensor:s3")).toEqual({ offset: 5, at: 6_000 });
});

test("[NODE-6] drops a state with a value that is not JSON, as schema 1 wrote them", () => {
  expect(readStreams(replyOf('\u0000s2"\u0016late"}'), NOW, 10_000).devices).toBeNull();
});

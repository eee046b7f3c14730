import type { History } from "@mulkko/shared/rest/history";
import { describe, expect, it } from "vitest";
import { bucketsWith, logDataOf, mergeLogData, newestFilled } from "./log-data.ts";

const S1 = { kind: "sensor", id: "s1" } as const;
const FIELDS = ["moisture", "battery"];
const START = Date.parse("2026-11-21T03:00:00Z");
const MINUTE = 60_000;

const history = (start: number, values: readonly (number | null)[]): History => ({
  from: new Date(start).toISOString(),
  to: new Date(start + values.length * MINUTE).toISOString(),
  source: "log-buckets",
  series: [
    {
      sensorId: "s1",
      start: new Date(start).toISOString(),
      step: MINUTE,
      count: values.map((value) => (value === null ? 0 : 6)),
      fields: {
        moisture: {
          min: [...values],
          max: [...values],
          avg: [...values],
          last: [...values],
          statistics: { max: 40, min: 20, avg: 30, variance: 4 },
        },
      },
    },
  ],
});
const dataOf = (start: number, values: readonly (number | null)[]) => {
  const data = logDataOf(history(start, values), [S1], FIELDS);
  if (!data) throw new Error("no data");
  return data;
};
const means = (data: ReturnType<typeof dataOf>) => data.buckets["moisture s1"]?.map(({ avg }) => avg);

describe("log data", () => {
  it("[log] selects a sensor's fields from an answer; a missing field is empty, an unknown sensor null", () => {
    const data = dataOf(START, [30, null, 31]);
    expect(means(data)).toEqual([30, null, 31]);
    expect(data.buckets["battery s1"]).toEqual([]);
    expect(data.statistics["moisture s1"]?.variance).toBe(4);
    expect(logDataOf(history(START, [1]), [{ kind: "sensor", id: "s2" }], ["moisture"])).toBeNull();
  });
  it("[SUB-5] leaves neither gap nor duplicate after a refill from the newest point", () => {
    const before = dataOf(START, [30, 31, null, null]);
    expect(newestFilled(before)).toBe(START + MINUTE);
    const after = mergeLogData(before, dataOf(START + MINUTE, [31, 32, 33, 34]));
    expect(means(after)).toEqual([30, 31, 32, 33, 34]);
  });
  it.each([
    ["5 s", 0],
    ["10 min", 10],
    ["25 h", 25 * 60],
  ])("[SUB-5] has every bucket once after an absence of %s, without gaps", (_name, minutes) => {
    const value = (minute: number) => 20 + (minute % 17);
    const until = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => value(from + n));
    // The bucket in which the connection broke is incomplete: the refill begins with it.
    const before = dataOf(START, [...until(0, 59), -1]);
    const from = ((newestFilled(before) ?? 0) - START) / MINUTE;
    const after = mergeLogData(before, dataOf(START + from * MINUTE, until(from, 60 + minutes)));
    expect(means(after)).toEqual(until(0, 60 + minutes));
    const times = after.buckets["moisture s1"]?.map(({ t }) => t);
    expect(times).toEqual(until(0, 60 + minutes).map((_, n) => (START + n * MINUTE) / 1000));
  });
  it("[SUB-5] keeps a silence as a gap after a refill", () => {
    const after = mergeLogData(dataOf(START, [30]), dataOf(START + 4 * MINUTE, [34]));
    expect(means(after)).toEqual([30, null, null, null, 34]);
  });
  it("[log] puts a live reading into the bucket of its measurement time", () => {
    const data = dataOf(START, [30, 30]);
    const inside = bucketsWith(data, S1, FIELDS, { moisture: 37, battery: null }, START + 90_000);
    expect(inside).toEqual({
      "moisture s1": { t: (START + MINUTE) / 1000, count: 7, min: 30, max: 37, avg: 31, last: 37 },
    });
    const beyond = bucketsWith(data, S1, FIELDS, { moisture: 40 }, START + 5 * MINUTE);
    expect(beyond["moisture s1"]).toMatchObject({ t: (START + 5 * MINUTE) / 1000, count: 1, avg: 40 });
  });
  it("[log] keeps separate lines for several sensors and channels of one answer", () => {
    const answer = history(START, [30, 31]);
    const [own] = answer.series;
    if (!own) throw new Error("no series");
    const channel = { kind: "channel", id: "s1", number: 2 } as const;
    const both = { ...answer, series: [own, { ...own, channel: 2 }, { ...own, channel: 1 }] };
    const data = logDataOf(both, [S1, channel], ["moisture"]);
    expect(Object.keys(data?.buckets ?? {})).toEqual(["moisture s1", "moisture s1:2"]);
  });
  it("[log] returns the unread share of the range over all sources", () => {
    const answer = history(START, [30, null, null, null]);
    const [own] = answer.series;
    if (!own) throw new Error("no series");
    const missing = [
      { from: new Date(START + MINUTE).toISOString(), to: new Date(START + 4 * MINUTE).toISOString() },
    ];
    const partly = {
      ...answer,
      series: [
        { ...own, missing },
        { ...own, sensorId: "s2" },
      ],
    };
    const sources = [S1, { kind: "sensor", id: "s2" } as const];
    expect(logDataOf(partly, sources, ["moisture"])?.unread).toBe(3 / 8);
    expect(dataOf(START, [1]).unread).toBe(0);
  });
});

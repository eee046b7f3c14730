import { History } from "@mulkko/shared/rest/history";
import { parse } from "@mulkko/shared/schema/parse";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildPlainFarm, type PlainApiRow } from "../../testing/plain-api.ts";
import { type PlainApiHarness, startPlainApiHarness } from "../../testing/plain-api-harness.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (ms: number): string => new Date(ms).toISOString();

describe("history in front of an API without extensions", () => {
  let harness: PlainApiHarness;
  const today = Math.floor(Date.now() / DAY) * DAY;
  const rows = (from: number, to: number, step: number): PlainApiRow[] =>
    Array.from({ length: Math.floor((to - from) / step) }, (_, index) => ({
      at: from + index * step,
      fields: { moisture: 20 + (index % 10), battery: 80 },
    }));

  beforeEach(async () => {
    const farm = buildPlainFarm({
      sensors: [
        { id: 1, name: "토양", deviceType: "SMS", serial: 100_001 },
        { id: 2, name: "밸브", deviceType: "COT", serial: 100_002, chNums: 2 },
      ],
      logs: new Map([["1", rows(today - 40 * DAY, today, HOUR)]]),
      cotLogs: new Map([["2/2", [{ at: today - 2 * DAY, fields: { valve: 1, moisture: 31.5 } }]]]),
    });
    harness = await startPlainApiHarness(farm);
  });
  afterEach(() => harness.close());

  const ask = (query: Record<string, string>, headers?: Record<string, string>) =>
    harness.get(`/relay/history?${new URLSearchParams(query)}`, headers);
  async function history(query: Record<string, string>): Promise<History> {
    const response = await ask(query);
    const parsed = parse(History, await response.json());
    if (response.status !== 200 || !parsed.ok) throw new Error(`${response.status}`);
    return parsed.value;
  }
  const week = { ids: "1", from: iso(today - 7 * DAY), to: iso(today), buckets: "7", fields: "moisture" };

  it("[history] computes buckets of bare rows in Korean time, with statistics of the same rows", async () => {
    const { source, series } = await history(week);
    expect(source).toBe("computed");
    expect(series[0]?.start).toBe(iso(today - 7 * DAY));
    expect(series[0]?.count).toEqual(Array(7).fill(24));
    const { min, max, statistics } = series[0]?.fields.moisture ?? {};
    expect([Math.min(...(min ?? []).map(Number)), Math.max(...(max ?? []).map(Number))]).toEqual([
      statistics?.min,
      statistics?.max,
    ]);
  });

  it("[history] returns the log of a COT sensor's channel beside sensors", async () => {
    const { series } = await history({ ...week, fields: "", channels: "2:2" });
    expect(series.map(({ sensorId, channel }) => [sensorId, channel])).toEqual([
      ["1", undefined],
      ["2", 2],
    ]);
    expect(series[1]?.count).toEqual([0, 0, 0, 0, 0, 1, 0]);
    expect(series[1]?.fields.valve?.last[5]).toBe(1);
    expect(series[1]?.fields.moisture?.avg[5]).toBe(31.5);
  });

  it("[history] a repeated query costs no request for closed slices, and the browser no bytes", async () => {
    const first = await ask(week);
    const tag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const asked = harness.api.count(/read\/log\/1\//);
    const again = await ask(week, { "if-none-match": tag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag]);
    // The day that ended at midnight may be requested again while late readings may arrive.
    expect(harness.api.count(/read\/log\/1\//) - asked).toBeLessThanOrEqual(1);
    const other = await ask({ ...week, buckets: "6" }, { "if-none-match": tag });
    expect(other.status).toBe(200);
  });

  it("[history] three years are read a few slices at a time", async () => {
    const { series } = await history({ ...week, from: iso(today - 1_095 * DAY), buckets: "300" });
    expect(series[0]?.count.reduce((sum, count) => sum + count, 0)).toBe(40 * 24);
    expect(series[0]?.missing).toBeUndefined();
    // In slices of sixteen days.
    expect(harness.api.count(/read\/log\/1\//)).toBeGreaterThanOrEqual(1_095 / 16);
    expect(harness.api.load.most).toBeLessThanOrEqual(8);
  });

  it("[history] work for a disconnected caller is cancelled", async () => {
    let letGo = (): void => undefined;
    // The token and the lists are cached before.
    await history(week);
    harness.api.hold = new Promise((resolve) => {
      letGo = resolve;
    });
    const gone = new AbortController();
    const query = new URLSearchParams({ ...week, from: iso(today - 400 * DAY) });
    const asking = fetch(`${harness.origin}/relay/history?${query}`, {
      headers: { authorization: "Bearer bare-token" },
      signal: gone.signal,
    });
    const before = harness.api.requests.length;
    await expect.poll(() => harness.api.requests.length).toBeGreaterThan(before);
    gone.abort();
    await expect(asking).rejects.toThrow();
    await expect.poll(() => harness.api.load.now).toBe(0);
    const asked = harness.api.count(/read\/log\/1\//);
    letGo();
    harness.api.hold = null;
    await history(week);
    expect(harness.api.count(/read\/log\/1\//) - asked).toBeLessThanOrEqual(1);
  });

  it("[history] 404 for a sensor that the API does not show, 401 for a token that it does not accept", async () => {
    expect((await ask({ ...week, ids: "99" })).status).toBe(404);
    expect((await ask(week, { authorization: "Bearer other" })).status).toBe(401);
  });
});

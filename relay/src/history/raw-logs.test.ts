import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { buildLogEntry } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { settle } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeUpstream, type FakeUpstream } from "../../testing/fake-upstream.ts";
import { createRowTimes, createTimeAhead } from "../account/time-ahead.ts";
import { Places } from "../runtime/places.ts";
import { UpstreamAnswerError, UpstreamStatusError } from "../upstream/errors.ts";
import { HISTORY_POOL } from "./limits.ts";
import { createRawLogs, type RawLogs } from "./raw-logs.ts";
import { rawPath, type Span } from "./slices.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const zone = createApiTimeZone("Asia/Seoul");
const NOW = Date.parse("2026-11-21T05:00:00Z");
const source = { id: "s1" };
const dayBefore = (days: number): Span => {
  const from = Math.floor(NOW / DAY) * DAY - days * DAY;
  return { from, to: from + DAY };
};
const row = (at: number, moisture = 30) => buildLogEntry({ createdDate: zone.toApi(at), moisture });

describe("raw logs", () => {
  let clock: ReturnType<typeof createFakeClock>;
  let api: FakeUpstream;
  let logs: RawLogs;
  const stay = new AbortController().signal;
  const asking = (accountId = "a", token = "token-a", signal = stay) => ({ accountId, token, signal });
  const pathOf = (span: Span): string => rawPath(source, span, zone);

  beforeEach(() => {
    clock = createFakeClock(NOW);
    api = createFakeUpstream();
    api.answerOthers([]);
    logs = createRawLogs({
      reader: api,
      zone,
      rowTimes: createRowTimes({ zone, now: clock.now }, createTimeAhead(clock.now, clock.now)),
      clock,
      places: new Places(HISTORY_POOL, nodeTimers),
    });
  });

  it("[ONL-6] rows with unusual times are interpreted, and rows from the future skipped", async () => {
    const slice = dayBefore(0);
    const at = NOW - HOUR;
    api.answer(pathOf(slice), [
      { createdDate: new Date(at).toISOString(), moisture: 1 },
      { createdDate: `${at / 1_000}`, moisture: 2 },
      { createdDate: at, moisture: 3 },
      { createdDate: zone.toApi(at).slice(0, 16), moisture: 4 },
      { createdDate: zone.toApi(NOW + 59_000), moisture: 5 },
      { createdDate: zone.toApi(NOW + 61_000), moisture: 6 },
      { createdDate: "soon", moisture: 7 },
      { moisture: 8 },
      "row",
    ]);
    const columns = await logs.slice(source, slice, asking());
    expect([...columns.at]).toEqual([at, at, at, at, NOW + 59_000]);
    expect([...(columns.fields.get("moisture") ?? [])]).toEqual([1, 2, 3, 4, 5]);
  });

  it("[history] a closed slice is requested once a day, an open one every ten seconds", async () => {
    const [closed, open] = [dayBefore(3), dayBefore(0)];
    for (let passed = 0; passed < 60_000; passed += 20_000) {
      await logs.slice(source, closed, asking());
      await logs.slice(source, open, asking());
      clock.advance(20_000);
    }
    expect([api.count(pathOf(closed)), api.count(pathOf(open))]).toEqual([1, 3]);
  });

  it("[history] a recently ended slice is requested again after two minutes, because late readings may have arrived", async () => {
    const recent = { from: NOW - 4 * HOUR, to: NOW - HOUR };
    await logs.slice(source, recent, asking());
    clock.advance(119_000);
    await logs.slice(source, recent, asking());
    expect(api.count(pathOf(recent))).toBe(1);
    clock.advance(2_000);
    await logs.slice(source, recent, asking());
    expect(api.count(pathOf(recent))).toBe(2);
  });

  it("[history] a late received reading invalidates its closed slice, and no other", async () => {
    const [slice, other] = [dayBefore(3), dayBefore(2)];
    await logs.slice(source, slice, asking());
    await logs.slice(source, other, asking());
    api.answer(pathOf(slice), [row(slice.from + HOUR)]);
    logs.invalidate("a", "s1", slice.from + HOUR);
    expect((await logs.slice(source, slice, asking())).at).toHaveLength(1);
    await logs.slice(source, other, asking());
    expect([api.count(pathOf(slice)), api.count(pathOf(other))]).toEqual([2, 1]);
  });

  it("[history] a reading received during a slice's request prevents caching of its answer", async () => {
    const slice = dayBefore(3);
    let give = (_rows: unknown[]): void => undefined;
    api.answer(pathOf(slice), new Promise<unknown[]>((resolve) => (give = resolve)));
    const first = logs.slice(source, slice, asking());
    await settle();
    logs.invalidate("a", "s1", slice.from + HOUR);
    give([]);
    expect((await first).at).toHaveLength(0);
    api.answer(pathOf(slice), [row(slice.from + HOUR)]);
    expect((await logs.slice(source, slice, asking())).at).toHaveLength(1);
  });

  it("[history] concurrent queries of one slice share the call; accounts share nothing", async () => {
    const slice = dayBefore(3);
    await Promise.all([
      logs.slice(source, slice, asking()),
      logs.slice(source, slice, asking("a", "token-a2")),
      logs.slice(source, slice, asking("b", "token-b")),
    ]);
    expect(api.calls.map(({ options }) => options.token)).toEqual(["token-a", "token-b"]);
    await logs.slice(source, slice, asking("b", "token-b"));
    expect(api.calls).toHaveLength(2);
  });

  it("[history] a token refused to one caller does not affect another's", async () => {
    const slice = dayBefore(3);
    let refuse = (_error: Error): void => undefined;
    api.answer(pathOf(slice), new Promise((_resolve, reject) => (refuse = reject)));
    const first = logs.slice(source, slice, asking("a", "old"));
    const second = logs.slice(source, slice, asking("a", "new"));
    const outcomes = Promise.allSettled([first, second]);
    await settle();
    api.answer(pathOf(slice), [row(slice.from)]);
    refuse(new UpstreamStatusError("401", 401, "unauthorized", null));
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("[history] a request is cancelled once no caller waits for it", async () => {
    const slice = dayBefore(3);
    api.answer(pathOf(slice), new Promise(() => undefined));
    const gone = new AbortController();
    const waiting = logs.slice(source, slice, asking("a", "token-a", gone.signal));
    await settle();
    gone.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect(api.calls[0]?.options.signal?.aborted).toBe(true);
  });

  it("[history] cached rows are not shown to an account that the API no longer shows them to", async () => {
    const slice = dayBefore(3);
    api.answer(pathOf(slice), [row(slice.from)]);
    await logs.slice(source, slice, asking());
    api.answer(pathOf(slice), new UpstreamStatusError("404", 404, "not-found", null));
    expect((await logs.slice(source, slice, asking())).at).toHaveLength(1);
    clock.advance(5 * 60_000);
    await expect(logs.slice(source, slice, asking())).rejects.toThrow("404");
    await expect(logs.slice(source, slice, asking())).rejects.toThrow("404");
  });

  it("[history] an answer that is too large is requested in halves", async () => {
    const slice = dayBefore(3);
    const tooLarge = new UpstreamAnswerError("more than is read", {
      cause: new RangeError("too many bytes"),
    });
    const middle = slice.from + DAY / 2;
    api.answer(pathOf(slice), tooLarge);
    api.answer(pathOf({ from: slice.from, to: middle }), [row(slice.from), row(middle)]);
    api.answer(pathOf({ from: middle, to: slice.to }), [row(middle), row(slice.to - 1_000)]);
    const columns = await logs.slice(source, slice, asking());
    expect([...columns.at]).toEqual([slice.from, middle, slice.to - 1_000]);
    expect([...(columns.fields.get("moisture") ?? [])]).toEqual([30, 30, 30]);
  });

  it("[history] cached rows stay under one number of bytes", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => row(dayBefore(1).from + index * 1_000));
    for (let day = 1; day <= 30; day += 1) {
      const slice = dayBefore(day);
      api.answer(
        pathOf(slice),
        rows.map((one, index) => ({ ...one, createdDate: zone.toApi(slice.from + index) })),
      );
      await logs.slice(source, slice, asking());
    }
    const perSlice = 3_000 * 8 * 4;
    expect(logs.bytes).toBeGreaterThan(30 * perSlice);
    expect(logs.bytes).toBeLessThan(31 * perSlice);
  });
});

describe("a range in the API's local time", () => {
  const words = (zoneName: string, from: string, to: string): string =>
    decodeURIComponent(
      rawPath(source, { from: Date.parse(from), to: Date.parse(to) }, createApiTimeZone(zoneName)),
    ).slice(-33);

  it("[history] is the minutes around it on the API's clock", () => {
    expect(words("Asia/Seoul", "2026-11-21T00:00:30Z", "2026-11-21T01:00:30Z")).toBe(
      "2026-11-21 09:00/2026-11-21 10:01",
    );
  });

  it("[TIME-3] is extended beyond an hour that a clock change repeats, at either end", () => {
    // 02:00 summer time became 01:00 at 06:00 UTC.
    expect(words("America/New_York", "2026-11-01T03:00:00Z", "2026-11-01T06:00:00Z")).toBe(
      "2026-10-31 23:00/2026-11-01 02:00",
    );
    // 03:00 summer time became 02:00 at 01:00 UTC.
    expect(words("Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T03:00:00Z")).toBe(
      "2026-10-25 01:45/2026-10-25 04:00",
    );
  });
});

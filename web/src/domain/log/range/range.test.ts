import { isDate } from "@mulkko/shared/rules/calendar";
import { describe, expect, it } from "vitest";
import { readChoice, spanOf, writeChoice } from "./range.ts";

const NOW = Date.parse("2026-11-21T03:30:00Z");
const SEOUL = "Asia/Seoul";
const iso = (ms: number) => new Date(ms).toISOString();
const span = (
  preset: Parameters<typeof spanOf>[0] extends infer C ? (C extends { preset: infer P } ? P : never) : never,
) => spanOf({ kind: "preset", preset }, NOW, SEOUL);

describe("range", () => {
  it("[log] ends now for hours, weeks and months, and follows time", () => {
    expect(span("onehour")).toEqual({ from: NOW - 3_600_000, to: NOW, follows: true });
    expect(span("halfhour").from).toBe(NOW - 12 * 3_600_000);
    expect(iso(span("months").from)).toBe("2026-10-21T03:30:00.000Z");
  });
  it("[log] covers yesterday 00:00 to today in the account's time zone, at most until now", () => {
    const { from, to, follows } = span("day");
    expect([iso(from), iso(to)]).toEqual(["2026-11-19T15:00:00.000Z", iso(NOW)]);
    expect(follows).toBe(true);
  });
  it("[log] follows time if a custom range ends today, but not if it is over", () => {
    const days = (start: string, end: string) => spanOf({ kind: "custom", start, end }, NOW, SEOUL);
    expect(days("2026-11-20", "2026-11-21")).toMatchObject({ to: NOW, follows: true });
    expect(days("2026-11-19", "2026-11-20").follows).toBe(false);
  });
  it("[log] starts on 2021-11-01 for the preset of all data", () => {
    expect(iso(span("all").from)).toBe("2021-10-31T15:00:00.000Z");
  });
  it("[log] includes both days of a custom range, in either order", () => {
    const { from, to } = spanOf({ kind: "custom", start: "2026-11-03", end: "2026-11-01" }, NOW, SEOUL);
    expect(from).toBeLessThan(to);
    const right = spanOf({ kind: "custom", start: "2026-11-01", end: "2026-11-01" }, NOW, SEOUL);
    expect([iso(right.from), iso(right.to)]).toEqual([
      "2026-10-31T15:00:00.000Z",
      "2026-11-01T14:59:00.000Z",
    ]);
  });
  it("[log] follows a time zone's clock changes", () => {
    const { from, to } = spanOf(
      { kind: "custom", start: "2026-03-29", end: "2026-03-29" },
      NOW,
      "Europe/Berlin",
    );
    expect(to - from).toBe(23 * 3_600_000 - 60_000);
  });
  it("[log] is read from the address, with the default for invalid values", () => {
    const custom = { kind: "custom", start: "2026-11-01", end: "2026-11-05" } as const;
    const params = writeChoice(new URLSearchParams("id=s1&range=weeks"), custom);
    expect(params.toString()).toBe("id=s1&start=2026-11-01&end=2026-11-05");
    expect(readChoice(params)).toEqual(custom);
    expect(readChoice(writeChoice(params, { kind: "preset", preset: "all" }))).toEqual({
      kind: "preset",
      preset: "all",
    });
    expect(readChoice(new URLSearchParams("range=x&start=2026-02-31&end=1"))).toEqual({
      kind: "preset",
      preset: "threehour",
    });
    expect(isDate("2026-02-29")).toBe(false);
  });
  it("[log] covers the given last day and the day before, as from a selection of sensors", () => {
    expect(readChoice(new URLSearchParams("ids=a,b&end=2026-11-01"))).toEqual({
      kind: "custom",
      start: "2026-10-31",
      end: "2026-11-01",
    });
    expect(readChoice(new URLSearchParams("end=2026-11-01&range=weeks"))).toMatchObject({ kind: "preset" });
  });
});

import { describe, expect, it } from "vitest";
import { ROWS_AT_MOST, readSlices, SLICE_MS, type TimedRow, TooManyRowsError } from "./sheets.ts";

const MINUTE = 60_000;

/**
 * Simulate an API with one row each `every` ms. It returns at most the `most` newest rows, including some
 * minutes around the requested range.
 */
function api(every: number, most: number) {
  const asked: [number, number][] = [];
  const read = async (from: number, to: number) => {
    asked.push([from, to]);
    const rows: TimedRow[] = [];
    const first = Math.ceil((from - MINUTE) / every) * every + 0;
    for (let at = first; at < to + MINUTE; at += every) rows.push({ at, row: { n: at / every } });
    return { rows: rows.slice(-most), truncated: rows.length > most };
  };
  return { asked, read };
}

describe("raw slices", () => {
  it("[spec 9] read a range slice by slice: every row once, oldest first, none outside the range", async () => {
    const { asked, read } = api(10 * MINUTE, 100_000);
    const read1: number[] = [];
    const to = 2 * SLICE_MS + 3_600_000;
    const rows = await readSlices({ from: 0, to, read, onRead: (ms) => read1.push(ms) });
    expect(asked).toHaveLength(3);
    expect(rows.map(({ at }) => at)).toEqual(
      Array.from({ length: to / (10 * MINUTE) }, (_, n) => n * 10 * MINUTE),
    );
    expect(read1).toEqual([SLICE_MS, 2 * SLICE_MS, to]);
  });
  it("[spec 9] halve a slice of which the API returns only the newest rows", async () => {
    const { asked, read } = api(MINUTE, 3_000);
    const rows = await readSlices({ from: 0, to: SLICE_MS, read, onRead: () => undefined });
    expect(asked.length).toBeGreaterThan(2);
    expect(rows).toHaveLength(SLICE_MS / MINUTE);
    expect(rows.every(({ at }, n) => at === n * MINUTE)).toBe(true);
  });
  it("[spec 9] throw for more rows than a file can hold instead of writing a part of them", async () => {
    const many = Array.from({ length: ROWS_AT_MOST + 1 }, (_, n): TimedRow => ({ at: n, row: {} }));
    const asking = readSlices({
      from: 0,
      to: SLICE_MS,
      read: async () => ({ rows: many, truncated: false }),
      onRead: () => undefined,
    });
    await expect(asking).rejects.toBeInstanceOf(TooManyRowsError);
  });
});

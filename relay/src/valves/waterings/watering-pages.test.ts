import { describe, expect, it } from "vitest";
import { buildWatering } from "../../../testing/waterings.ts";
import { newestFirst, pageOf, readCursor } from "./list-waterings.ts";

const starts = ["01", "02", "02", "03", "05"].map((hour, index) =>
  buildWatering(`2026-11-21T${hour}:00:00.000Z`, { id: `w${index}` }),
);
const sorted = newestFirst(starts);

describe("pages of waterings", () => {
  it("[WAT-2] contain every watering once, newest first, also if two began at the same time", () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const after = cursor === null ? null : readCursor(cursor);
      const { page, next } = pageOf(sorted, after, 2);
      seen.push(...page.map(({ id }) => id));
      cursor = next;
    } while (cursor !== null);
    expect(seen).toEqual(["w4", "w3", "w2", "w1", "w0"]);
  });

  it("[WAT-2] continue from their end, whatever was added meanwhile", () => {
    const { next } = pageOf(sorted, null, 2);
    const more = newestFirst([...starts, buildWatering("2026-11-21T06:00:00.000Z", { id: "w9" })]);
    expect(pageOf(more, readCursor(next ?? ""), 2).page.map(({ id }) => id)).toEqual(["w2", "w1"]);
  });

  it("[WAT-2] end with the last: no cursor returns an empty page", () => {
    expect(pageOf(sorted, null, 5).next).toBeNull();
    expect(pageOf([], null, 5)).toEqual({ page: [], next: null });
    expect(readCursor("nonsense")).toBeNull();
  });
});

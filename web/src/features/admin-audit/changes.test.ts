import { describe, expect, it } from "vitest";
import { changesOf, subjectAddress } from "./changes.ts";
import { instantsOf } from "./Filters.tsx";

const entry = {
  id: 1,
  createdDate: "2026-11-21 12:00:00",
  actorId: "a",
  actorName: "overseer",
  action: "user-update",
  subjectKind: "user",
  subjectId: "u/1",
  subjectName: "farmer",
  before: null,
  after: null,
};

describe("audit log", () => {
  it("[audit] shows a change field by field, including added and removed values", () => {
    const before = { phone: "", nickname: "Kim", gone: 3, same: "x" };
    const after = { phone: "010", nickname: "Lee", made: true, same: "x" };
    expect(changesOf({ before, after })).toEqual([
      { field: "phone", before: null, after: "010" },
      { field: "nickname", before: "Kim", after: "Lee" },
      { field: "gone", before: 3, after: null },
      { field: "made", before: null, after: true },
    ]);
    expect(changesOf(entry)).toEqual([]);
  });

  it("[audit] shows values of any kind", () => {
    expect(changesOf({ before: null, after: { list: [1, 2] } })).toEqual([
      { field: "list", before: null, after: "[1,2]" },
    ]);
  });

  it("[audit] links to the page of the subject as long as it exists", () => {
    expect(subjectAddress(entry)).toBe("/adminpage/user?id=u%2F1");
    expect(subjectAddress({ ...entry, subjectKind: "sensor" })).toBe("/adminpage/sensor?id=u%2F1");
    expect(subjectAddress({ ...entry, action: "user-delete" })).toBeNull();
    expect(subjectAddress({ ...entry, subjectKind: "import" })).toBeNull();
  });

  it("[audit] uses days of the reader's time zone, including the whole last one", () => {
    expect(instantsOf({ from: "2026-11-21", to: "2026-11-21" }, "Asia/Seoul")).toEqual({
      from: "2026-11-20T15:00:00.000Z",
      to: "2026-11-21T15:00:00.000Z",
    });
    // The clocks are set back on that day: it has 25 hours.
    expect(instantsOf({ from: "2026-11-01", to: "2026-11-01" }, "America/New_York")).toEqual({
      from: "2026-11-01T04:00:00.000Z",
      to: "2026-11-02T05:00:00.000Z",
    });
    expect(instantsOf({ from: "", to: "soon" }, "Asia/Seoul")).toEqual({ from: "", to: "" });
  });
});

import { describe, expect, it } from "vitest";
import { changesOf, subjectAddress } from "./changes.ts";
import { instantsOf } from "./day-range.ts";

const deed = {
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
  it("[audit] a change is told field by field, also where a value came or went", () => {
    const before = { phone: "", nickname: "Kim", gone: 3, same: "x" };
    const after = { phone: "010", nickname: "Lee", made: true, same: "x" };
    expect(changesOf({ before, after })).toEqual([
      { field: "phone", before: null, after: "010" },
      { field: "nickname", before: "Kim", after: "Lee" },
      { field: "gone", before: 3, after: null },
      { field: "made", before: null, after: true },
    ]);
    expect(changesOf(deed)).toEqual([]);
  });

  it("[audit] a value of any kind can be shown", () => {
    expect(changesOf({ before: null, after: { list: [1, 2] } })).toEqual([
      { field: "list", before: null, after: "[1,2]" },
    ]);
  });

  it("[audit] what a deed was done to has a page as long as it is there", () => {
    expect(subjectAddress(deed)).toBe("/adminpage/user?id=u%2F1");
    expect(subjectAddress({ ...deed, subjectKind: "sensor" })).toBe("/adminpage/sensor?id=u%2F1");
    expect(subjectAddress({ ...deed, action: "user-delete" })).toBeNull();
    expect(subjectAddress({ ...deed, subjectKind: "import" })).toBeNull();
  });

  it("[audit] days are those of the reader's zone, the last one whole", () => {
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

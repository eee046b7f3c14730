import { describe, expect, it } from "vitest";
import { areSame, mergeContent } from "./saving.ts";

const base = { name: "north", crops: "rice", farms: ["a"] };
const typed = { ...base, name: "mine" };

describe("merge content", () => {
  it("[form] compares lists by item", () => {
    expect(areSame(base, { ...base, farms: ["a"] })).toBe(true);
    expect(areSame(base, { ...base, farms: ["a", "b"] })).toBe(false);
    expect(areSame(base, typed)).toBe(false);
  });

  it("[form] updates an unchanged form from another user's save", () => {
    const fresh = { ...base, name: "theirs" };
    expect(mergeContent(base, base, fresh)).toEqual({ merged: fresh, collides: false });
  });

  it("[form] updates another field and keeps the user's own without a question", () => {
    const merged = { name: "mine", crops: "barley", farms: ["a"] };
    expect(mergeContent(typed, base, { ...base, crops: "barley" })).toEqual({ merged, collides: false });
  });

  it("[form] keeps the user's value of a field changed on both sides and reports the conflict", () => {
    const fresh = { ...base, name: "theirs", crops: "barley" };
    const merged = { ...fresh, name: "mine" };
    expect(mergeContent(typed, base, fresh)).toEqual({ merged, collides: true });
  });

  it("[form] reports no conflict if both sides made the same change", () => {
    expect(mergeContent(typed, base, { ...base, name: "mine" })).toEqual({ merged: typed, collides: false });
  });
});

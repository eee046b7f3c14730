import { describe, expect, it } from "vitest";
import { beginContent, followContent, isChanged, savedContent } from "./form-content.ts";

const initial = { name: "north", crops: "rice", farms: ["a"] };
const begun = beginContent(initial);
const typed = { ...begun, values: { ...initial, name: "mine" } };

describe("form content", () => {
  it("[form] is changed while its values differ from the saved ones, comparing lists by item", () => {
    expect(isChanged(begun)).toBe(false);
    expect(isChanged({ ...begun, values: { ...initial, farms: ["a"] } })).toBe(false);
    expect(isChanged({ ...begun, values: { ...initial, farms: ["a", "b"] } })).toBe(true);
    expect(isChanged(typed)).toBe(true);
    expect(isChanged({ ...typed, values: initial })).toBe(false);
  });

  it("[form] updates an unchanged form from another user's save", () => {
    const fresh = { ...initial, name: "theirs" };
    const after = followContent(begun, fresh);
    expect(after).toMatchObject({ values: fresh, elsewhere: null });
    expect(isChanged(after)).toBe(false);
  });

  it("[form] updates another field and keeps the user's own without a question", () => {
    const after = followContent(typed, { ...initial, crops: "barley" });
    expect(after).toMatchObject({ values: { name: "mine", crops: "barley" }, elsewhere: null });
    expect(isChanged(after)).toBe(true);
  });

  it("[form] keeps the user's value of a field changed on both sides and offers the other", () => {
    const fresh = { ...initial, name: "theirs" };
    const after = followContent(typed, fresh);
    expect(after).toMatchObject({ values: { name: "mine" }, elsewhere: fresh });
    const newer = followContent(after, { ...fresh, crops: "barley" });
    expect(newer.elsewhere).toEqual({ ...fresh, crops: "barley" });
    expect(newer.values).toEqual({ ...initial, name: "mine", crops: "barley" });
  });

  it("[form] reports no conflict if both sides made the same change", () => {
    const after = followContent(typed, { ...initial, name: "mine" });
    expect(after.elsewhere).toBeNull();
    expect(isChanged(after)).toBe(false);
  });

  it("[form] does not undo a save by repeated earlier content", () => {
    const saved = savedContent(typed, typed.values);
    expect(isChanged(saved)).toBe(false);
    expect(followContent(saved, { ...initial }).values.name).toBe("mine");
  });

  it("[form] treats text typed during the save as a new change", () => {
    const later = { ...typed, values: { ...typed.values, crops: "barley" } };
    const saved = savedContent(later, typed.values);
    expect(saved.values.crops).toBe("barley");
    expect(isChanged(saved)).toBe(true);
  });

  it("[form] shows a draft as a change", () => {
    const restored = beginContent(initial, typed.values);
    expect(restored.values.name).toBe("mine");
    expect(isChanged(restored)).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { beginContent, followContent, isChanged, savedContent } from "./form-content.ts";

const initial = { name: "north", crops: "rice", farms: ["a"] };
const begun = beginContent(initial);
const typed = { ...begun, values: { ...initial, name: "mine" } };

describe("form content", () => {
  it("[form] is changed while its values differ from what was saved, lists by their items", () => {
    expect(isChanged(begun)).toBe(false);
    expect(isChanged({ ...begun, values: { ...initial, farms: ["a"] } })).toBe(false);
    expect(isChanged({ ...begun, values: { ...initial, farms: ["a", "b"] } })).toBe(true);
    expect(isChanged(typed)).toBe(true);
    expect(isChanged({ ...typed, values: initial })).toBe(false);
  });

  it("[form] an unchanged form follows what somebody else saves", () => {
    const fresh = { ...initial, name: "theirs" };
    const after = followContent(begun, fresh);
    expect(after).toMatchObject({ values: fresh, elsewhere: null });
    expect(isChanged(after)).toBe(false);
  });

  it("[form] another field is followed while mine stays, and nothing is asked", () => {
    const after = followContent(typed, { ...initial, crops: "barley" });
    expect(after).toMatchObject({ values: { name: "mine", crops: "barley" }, elsewhere: null });
    expect(isChanged(after)).toBe(true);
  });

  it("[form] the same field changed here and there keeps mine, and offers the other", () => {
    const fresh = { ...initial, name: "theirs" };
    const after = followContent(typed, fresh);
    expect(after).toMatchObject({ values: { name: "mine" }, elsewhere: fresh });
    const newer = followContent(after, { ...fresh, crops: "barley" });
    expect(newer.elsewhere).toEqual({ ...fresh, crops: "barley" });
    expect(newer.values).toEqual({ ...initial, name: "mine", crops: "barley" });
  });

  it("[form] what both have changed alike is no collision", () => {
    const after = followContent(typed, { ...initial, name: "mine" });
    expect(after.elsewhere).toBeNull();
    expect(isChanged(after)).toBe(false);
  });

  it("[form] what came before the save and comes once more does not undo it", () => {
    const saved = savedContent(typed, typed.values);
    expect(isChanged(saved)).toBe(false);
    expect(followContent(saved, { ...initial }).values.name).toBe("mine");
  });

  it("[form] what was typed while it was being saved is a change again", () => {
    const later = { ...typed, values: { ...typed.values, crops: "barley" } };
    const saved = savedContent(later, typed.values);
    expect(saved.values.crops).toBe("barley");
    expect(isChanged(saved)).toBe(true);
  });

  it("[form] a draft stands in the form as a change", () => {
    const restored = beginContent(initial, typed.values);
    expect(restored.values.name).toBe("mine");
    expect(isChanged(restored)).toBe(true);
  });
});

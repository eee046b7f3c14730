import { describe, expect, it } from "vitest";
import { entityTag, namesTag } from "./entity-tag.ts";

describe("entity tags", () => {
  it("[history] are equal for equal text only", () => {
    expect(entityTag("a")).toBe(entityTag("a"));
    expect(entityTag("a")).not.toBe(entityTag("b"));
    expect(entityTag("a")).toMatch(/^"[\w-]{27}"$/);
  });

  it("[history] are found in a list, also weakened by a proxy", () => {
    const tag = entityTag("a");
    expect(namesTag(tag, tag)).toBe(true);
    expect(namesTag(`"x", W/${tag}`, tag)).toBe(true);
    expect(namesTag("*", tag)).toBe(true);
    expect(namesTag('"x"', tag)).toBe(false);
    expect(namesTag(undefined, tag)).toBe(false);
  });
});

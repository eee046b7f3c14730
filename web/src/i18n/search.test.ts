import { TELEPHONE_SEARCHES } from "@mulkko/shared/testing/search-cases";
import { describe, expect, it } from "vitest";
import { searchFor } from "./search.ts";

describe("search", () => {
  it.each(TELEPHONE_SEARCHES)("[FIND-1] “$typed” in “$text”: $isFound", ({ text, typed, isFound }) => {
    expect(searchFor(typed)("other", text)).toBe(isFound);
  });

  it("[FIND-1] no other place of the client folds the letters of a search by itself", async () => {
    const sources = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.{ts,tsx}"], {
      query: "?raw",
      import: "default",
    });
    const texts = await Promise.all(
      Object.entries(sources).map(async ([path, load]) => ({ path, text: await load() })),
    );
    expect(texts.length).toBeGreaterThan(300);
    const folding = texts.filter(({ text }) => /\.to(Locale)?LowerCase\(/.test(text)).map(({ path }) => path);
    // A language's tag is no search.
    expect(folding).toEqual(["./language.ts"]);
  });
});

import { describe, expect, it } from "vitest";
import { eachByItself, everyOf, without } from "./chosen-rows.ts";

const row = (id: string) => ({ id });

describe("selected rows", () => {
  it("[admin] keeps rows of one page selected on the next", () => {
    const first = eachByItself(new Map(), new Set(["a"]), [row("a"), row("b")]);
    const both = eachByItself(first, new Set(["a", "c"]), [row("c"), row("d")]);
    expect([...both.keys()]).toEqual(["a", "c"]);
    expect([...eachByItself(both, new Set(["c"]), [row("c")]).keys()]).toEqual(["c"]);
  });

  it("[admin] removes deleted rows from the selection", () => {
    expect([...without(everyOf([row("a"), row("b")]), new Set(["a", "x"])).keys()]).toEqual(["b"]);
  });
});

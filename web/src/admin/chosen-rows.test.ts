import { describe, expect, it } from "vitest";
import { eachByItself, everyOf, without } from "./chosen-rows.ts";

const row = (id: string) => ({ id });

describe("chosen rows", () => {
  it("[admin] what is chosen on one page stays chosen on the next", () => {
    const first = eachByItself(new Map(), new Set(["a"]), [row("a"), row("b")]);
    const both = eachByItself(first, new Set(["a", "c"]), [row("c"), row("d")]);
    expect([...both.keys()]).toEqual(["a", "c"]);
    expect([...eachByItself(both, new Set(["c"]), [row("c")]).keys()]).toEqual(["c"]);
  });

  it("[admin] what is deleted is chosen no more", () => {
    expect([...without(everyOf([row("a"), row("b")]), new Set(["a", "x"])).keys()]).toEqual(["b"]);
  });
});

import { describe, expect, it } from "vitest";
import { idsOf, sourcesOf } from "./sources-of.ts";

describe("log sources of a page", () => {
  it("[spec 3] are the channels for a controller, and the sensor itself otherwise", () => {
    expect(sourcesOf("s", "SMS", null)).toEqual([{ kind: "sensor", id: "s" }]);
    expect(sourcesOf("c", "COT", 3).map((source) => "number" in source && source.number)).toEqual([1, 2, 3]);
    expect(sourcesOf("c", "COT", null)).toHaveLength(2);
    expect(sourcesOf("c", "COT", 0)).toHaveLength(1);
    expect(sourcesOf("c", "COT", 1_000_000)).toHaveLength(8);
  });
  it("[log] come from unique ids in the address, or from a single id", () => {
    expect(idsOf(new URLSearchParams("ids=a,b,,a&id=c"))).toEqual(["a", "b"]);
    expect(idsOf(new URLSearchParams("id=c&ids="))).toEqual(["c"]);
    expect(idsOf(new URLSearchParams("deviceType=SMS"))).toEqual([]);
  });
});

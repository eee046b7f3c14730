import { describe, expect, it } from "vitest";
import { addToBucket, emptyBucket } from "../../chart/bucket.ts";
import { bridgeLines } from "./bridge.ts";

describe("bridge lines", () => {
  it("[log] holds a valve's state until it changes and interpolates a moisture", () => {
    const list = [
      addToBucket(emptyBucket(0), 1),
      emptyBucket(60),
      addToBucket(emptyBucket(120), 2),
      emptyBucket(180),
      addToBucket(emptyBucket(240), 2),
    ];
    const drawn = bridgeLines({ "valve c:1": list, "moisture c:1": list });
    expect(drawn["valve c:1"]?.map(({ avg }) => avg)).toEqual([1, 1, 2, 2, 2]);
    expect(drawn["moisture c:1"]?.map(({ avg }) => avg)).toEqual([1, 1.5, 2, 2, 2]);
  });
});

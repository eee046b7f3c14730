import fc from "fast-check";
import { expect, test } from "vitest";
import { valueFault } from "./value-fault.ts";

test("[rest-contract] JSON of few levels and finite numbers has no fault", () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => valueFault(value) === null));
});

test("[rest-contract] names the field of a number beyond a double, however deep", () => {
  const infinite = fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN);
  fc.assert(
    fc.property(infinite, fc.integer({ min: 0, max: 60 }), (number, depth) => {
      let value: unknown = number;
      for (let n = 0; n < depth; n += 1) value = n % 2 === 0 ? [value] : { inner: value };
      expect(valueFault({ fine: 1 }, { latitude: value })).toEqual({ kind: "too-large", field: "latitude" });
    }),
  );
});

test("[rest-contract] a body with too many levels has its fault, and 100,000 end nothing", () => {
  for (const levels of [66, 40_000, 100_000]) {
    const value: unknown = JSON.parse("[".repeat(levels) + "]".repeat(levels));
    expect(valueFault(undefined, { name: value })).toEqual({ kind: "too-deep" });
  }
});

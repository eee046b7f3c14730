import { describe, expect, it } from "vitest";
import { flatness } from "./flatness.ts";

const series = (count: number, value: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => value(index));
const judge = (values: number[]) => flatness({ name: "heap", share: 0.05, slack: 1, values });

describe("the flatness of a soak", () => {
  it("[soak] calls a series flat that fills at the start and then stays", () => {
    expect(judge(series(50, (index) => Math.min(index * 10, 100))).flat).toBe(true);
  });

  it("[soak] calls a series flat that only jumps", () => {
    expect(judge(series(50, (index) => 100 + (index % 4) * 20)).flat).toBe(true);
  });

  it("[soak] does not call a series flat that grows a little with every turn", () => {
    expect(judge(series(50, (index) => 100 + index)).flat).toBe(false);
  });

  it("[soak] decides nothing by one outlier", () => {
    expect(judge(series(50, (index) => (index === 49 ? 900 : 100))).flat).toBe(true);
  });

  it("[soak] refuses too few measurements", () => {
    expect(() => judge([1, 1, 1])).toThrow("say nothing");
  });
});

import { describe, expect, it } from "vitest";
import { flatness } from "./flatness.ts";

const series = (count: number, value: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => value(index));
const judge = (values: number[]) => flatness({ name: "heap", share: 0.05, slack: 1, values });

describe("whether a soak is flat", () => {
  it("[soak] what fills at the beginning and then stays is flat", () => {
    expect(judge(series(50, (index) => Math.min(index * 10, 100))).flat).toBe(true);
  });

  it("[soak] what jumps about without going anywhere is flat", () => {
    expect(judge(series(50, (index) => 100 + (index % 4) * 20)).flat).toBe(true);
  });

  it("[soak] what grows a little with every turn is not", () => {
    expect(judge(series(50, (index) => 100 + index)).flat).toBe(false);
  });

  it("[soak] one measurement that stands out decides nothing", () => {
    expect(judge(series(50, (index) => (index === 49 ? 900 : 100))).flat).toBe(true);
  });

  it("[soak] too few measurements are no proof", () => {
    expect(() => judge([1, 1, 1])).toThrow("say nothing");
  });
});

import { expect, it } from "vitest";
import { statisticNames, statisticsOf } from "./log.ts";

it("[rest-contract] names statistics maxCo2, minCo2, avgCo2 and co2Variation", () => {
  expect(statisticNames("co2")).toEqual({
    max: "maxCo2",
    min: "minCo2",
    avg: "avgCo2",
    variance: "co2Variation",
  });
  expect(statisticNames("n").variance).toBe("nvariation");
});

it("[rest-contract] finds statistics without regard to case; a missing one is undefined", () => {
  const answer = { data: [], MAXN: 4, minN: 1, nvariation: 0.5, avgN: "x" };
  expect(statisticsOf(answer, "n")).toEqual({ max: 4, min: 1, avg: null, variance: 0.5 });
});

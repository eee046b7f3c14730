import { expect, it } from "vitest";
import { stressLevel } from "./stress.ts";

it("[spec 4] rounds and clamps the stress index to 64–100 and finds its level", () => {
  const levels: [unknown, string][] = [
    [-3, "safe"],
    [68.4, "safe"],
    [68.5, "noEffect"],
    [73, "noEffect"],
    [74, "mild"],
    [80, "mild"],
    [81, "severe"],
    [89, "severe"],
    [90, "verySevere"],
    [98, "verySevere"],
    [99, "danger"],
    [240, "danger"],
    ["75", "mild"],
  ];
  for (const [stress, level] of levels) expect(stressLevel(stress)).toBe(level);
});

it("[spec 4] gives grey for a missing or non-numeric index", () => {
  for (const stress of [null, undefined, "", "hot", Number.NaN]) expect(stressLevel(stress)).toBe("none");
});

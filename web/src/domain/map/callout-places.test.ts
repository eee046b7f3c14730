import { describe, expect, it } from "vitest";
import { calloutPlaces } from "./shown-marks.ts";

const callout = (id: string, latitude: number, longitude: number) => ({ id, latitude, longitude });
const ids = (zoom: number, ...callouts: ReturnType<typeof callout>[]) =>
  calloutPlaces(callouts, zoom).map((all) => all.map(({ id }) => id));

describe("map callouts", () => {
  const nonsan = callout("nonsan", 36.19, 127.1);
  const beside = callout("beside", 36.191, 127.101);
  const icheon = callout("icheon", 37.27, 127.44);

  it("[wall] groups callouts that would cover each other, most important first", () => {
    expect(ids(9, nonsan, icheon, beside)).toEqual([["nonsan", "beside"], ["icheon"]]);
  });

  it("[wall] keeps callouts apart if the map is close enough", () => {
    expect(ids(18, nonsan, beside)).toEqual([["nonsan"], ["beside"]]);
  });
});

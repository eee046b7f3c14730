import { describe, expect, it } from "vitest";
import { calloutPlaces } from "./callout-places.ts";

const callout = (id: string, latitude: number, longitude: number) => ({ id, latitude, longitude });
const ids = (zoom: number, ...callouts: ReturnType<typeof callout>[]) =>
  calloutPlaces(callouts, zoom).map((all) => all.map(({ id }) => id));

describe("what is said on a map", () => {
  const nonsan = callout("nonsan", 36.19, 127.1);
  const beside = callout("beside", 36.191, 127.101);
  const icheon = callout("icheon", 37.27, 127.44);

  it("[wall] stands together where the places would hide each other, the most important first", () => {
    expect(ids(9, nonsan, icheon, beside)).toEqual([["nonsan", "beside"], ["icheon"]]);
  });

  it("[wall] stands alone where the map is close enough", () => {
    expect(ids(18, nonsan, beside)).toEqual([["nonsan"], ["beside"]]);
  });
});

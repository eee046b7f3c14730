import { describe, expect, it } from "vitest";
import { DEFAULT_PLACE, placeOf, roundedPlace, SEOUL, ZOOM } from "./place.ts";

describe("place", () => {
  it("[spec 2] is known only with both latitude and longitude; 0 means not placed", () => {
    expect(placeOf({ latitude: 36.2, longitude: 127.1 })).toEqual({ latitude: 36.2, longitude: 127.1 });
    expect(placeOf({ latitude: -33.4, longitude: -70.6 })).not.toBeNull();
    for (const nowhere of [
      {},
      { latitude: 36.2 },
      { latitude: 0, longitude: 127.1 },
      { latitude: 36.2, longitude: 0 },
      { latitude: null, longitude: 127.1 },
      { latitude: Number.NaN, longitude: 127.1 },
      { latitude: 127.1, longitude: 36.2 },
      { latitude: 36.2, longitude: 1271 },
    ]) {
      expect(placeOf(nowhere)).toBeNull();
    }
  });

  it("[spec 9] defaults to the specification's place and zoom while nothing is placed", () => {
    expect(DEFAULT_PLACE).toEqual({ latitude: 37.3614483, longitude: 127.1114883 });
    expect(SEOUL).toEqual({ latitude: 37.5642135, longitude: 127.0016985 });
    expect(ZOOM).toEqual({ overview: 6, form: 11, focus: 15 });
  });

  it("[maps] rounds a chosen place to six decimals and keeps it on the earth", () => {
    expect(roundedPlace(37.361448312, 127.111488399)).toEqual({ latitude: 37.361448, longitude: 127.111488 });
    expect(roundedPlace(10, 487.25)).toEqual({ latitude: 10, longitude: 127.25 });
    expect(roundedPlace(10, -232.75)).toEqual({ latitude: 10, longitude: 127.25 });
  });
});

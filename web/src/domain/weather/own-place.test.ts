// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import { createOwnPlace } from "./WeatherCard.tsx";

/** Browser that reports this location, or refuses to. */
function geolocationAt(place: { latitude: number; longitude: number } | null) {
  const asked: (PositionOptions | undefined)[] = [];
  const geolocation: Geolocation = {
    getCurrentPosition(found, failed, options) {
      asked.push(options);
      const coords = {
        ...(place ?? { latitude: 0, longitude: 0 }),
        accuracy: 1,
        altitude: null,
        altitudeAccuracy: null,
        heading: null,
        speed: null,
        toJSON: () => "",
      };
      if (place) found({ coords, timestamp: 0, toJSON: () => "" });
      else {
        failed?.({ code: 1, message: "", PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 });
      }
    },
    watchPosition: () => 0,
    clearWatch: () => undefined,
  };
  return { asked, geolocation };
}

describe("own location", () => {
  beforeEach(() => localStorage.clear());

  it("[spec 2] is requested with high accuracy within 10,000 ms, and may be up to a day old", async () => {
    const { asked, geolocation } = geolocationAt({ latitude: 36.5, longitude: 127.1 });
    const own = createOwnPlace(geolocation, true, localStorage);
    expect(await own.find()).toEqual({ latitude: 36.5, longitude: 127.1 });
    expect(asked).toEqual([{ enableHighAccuracy: true, timeout: 10_000, maximumAge: 86_400_000 }]);
  });
  it("[weather] is not requested before the user asks for its weather", async () => {
    const own = createOwnPlace(geolocationAt(null).geolocation, true, localStorage);
    expect(own.isWanted()).toBe(false);
    expect(await own.find()).toBeNull();
    expect(own.isWanted()).toBe(true);
  });
  it("[weather] is neither offered nor looked up without HTTPS", () => {
    const own = createOwnPlace(geolocationAt(null).geolocation, false, localStorage);
    localStorage.setItem("mulkko.ownPlace", "wanted");
    expect([own.isOffered(), own.isWanted()]).toEqual([false, false]);
    expect(createOwnPlace(undefined, true, localStorage).isOffered()).toBe(false);
  });
});

import type { Place } from "../../api/weather.ts";

/**
 * Storage key, set once the user has asked for the weather at their location. From then on the location is
 * looked up without a click.
 */
const OWN_PLACE_KEY = "mulkko.ownPlace";

/** Geolocation options: high accuracy, within 10 s, at most a day old. */
const LOOK_UP: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 86_400_000 };

/** Create the location of this screen, if the browser provides it and the user wants it. */
export function createOwnPlace(geolocation: Geolocation | undefined, secure: boolean, kept: Storage) {
  return {
    /** Return true if the browser provides locations, which it does only on HTTPS and localhost. */
    isOffered: () => secure && geolocation !== undefined,
    isWanted: () => secure && kept.getItem(OWN_PLACE_KEY) === "wanted",
    /** Look up the location and remember that it is wanted. Null if it was refused or not found. */
    find(): Promise<Place | null> {
      kept.setItem(OWN_PLACE_KEY, "wanted");
      return new Promise((resolve) => {
        if (!geolocation) return resolve(null);
        geolocation.getCurrentPosition(
          ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
          () => resolve(null),
          LOOK_UP,
        );
      });
    },
  };
}

/** Return the location of this browser. */
export const browserPlace = () => createOwnPlace(navigator.geolocation, window.isSecureContext, localStorage);

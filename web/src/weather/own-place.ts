import type { Place } from "../rest/weather.ts";

/** Set once somebody asked for the weather where they are; from then on it is looked up without a press. */
const OWN_PLACE_KEY = "mulkko.ownPlace";

/** How a place is looked up: exactly, within 10 s, and one of the last day will do. */
const LOOK_UP: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 86_400_000 };

/** Where this screen stands, if it can be known and somebody wants it. */
export interface OwnPlace {
  /** Browsers tell a place on HTTPS and on the machine itself only. */
  isOffered(): boolean;
  isWanted(): boolean;
  /** Remembers that it is wanted. Null where it was refused or cannot be found. */
  find(): Promise<Place | null>;
}

export function createOwnPlace(
  geolocation: Geolocation | undefined,
  secure: boolean,
  kept: Storage,
): OwnPlace {
  return {
    isOffered: () => secure && geolocation !== undefined,
    isWanted: () => secure && kept.getItem(OWN_PLACE_KEY) === "wanted",
    find() {
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

export const browserPlace = (): OwnPlace =>
  createOwnPlace(navigator.geolocation, window.isSecureContext, localStorage);

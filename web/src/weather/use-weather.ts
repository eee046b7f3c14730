import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { useRest } from "../rest/hooks.ts";
import type { Place } from "../rest/weather.ts";
import { browserPlace } from "./own-place.ts";
import { type KnownWeather, useWeatherAt } from "./use-weather-at.ts";

export interface WeatherNow extends KnownWeather {
  /** True if the user can request the weather at their location. */
  readonly mayLocate: boolean;
  readonly locating: boolean;
  /** Ask the browser for the location; if it refuses, the farm's weather stays. */
  locate(): void;
}

/** Return the weather at the farm, or at the user's location once they requested that. */
export function useWeather(): WeatherNow {
  const { client } = useRest();
  const { i18n } = useTranslation("common");
  const [own] = useState(browserPlace);
  const [place, setPlace] = useState<Place | null>(null);
  const [locating, setLocating] = useState(false);
  const known = useWeatherAt(client, place, i18n.language);
  const locate = useCallback(() => {
    setLocating(true);
    void own.find().then((found) => {
      setLocating(false);
      if (found) setPlace(found);
    });
  }, [own]);
  useEffect(() => {
    if (own.isWanted()) locate();
  }, [own, locate]);
  return { ...known, mayLocate: own.isOffered() && place === null, locating, locate };
}

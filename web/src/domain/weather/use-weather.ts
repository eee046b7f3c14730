import type { Weather } from "@mulkko/shared/rest/weather";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLastAnswer, useRestQuery } from "../../api/queries.tsx";
import { fetchWeather, type Place, WEATHER_EVERY_MS } from "../../api/weather.ts";
import { browserPlace } from "./own-place.ts";

export interface WeatherNow {
  /** Null until there is an answer. */
  readonly weather: Weather | null;
  /** True if there is no answer yet and the last call failed. */
  readonly failed: boolean;
  /** True if the user can request the weather at their location. */
  readonly mayLocate: boolean;
  readonly locating: boolean;
  /** Ask the browser for the location; if it refuses, the farm's weather stays. */
  locate(): void;
}

/** Return the weather at the farm, or at the user's location once they requested that. */
export function useWeather(): WeatherNow {
  const { i18n } = useTranslation("common");
  const [own] = useState(browserPlace);
  const [place, setPlace] = useState<Place | null>(null);
  const [locating, setLocating] = useState(false);
  const { data, error } = useRestQuery(
    ["weather", place, i18n.language],
    (rest, signal) => fetchWeather(rest, place, i18n.language, signal),
    { refetchInterval: WEATHER_EVERY_MS },
  );
  // The known weather stays with its age while there is no newer one.
  const weather = useLastAnswer(data);
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
  return {
    weather,
    failed: weather === null && error !== null,
    mayLocate: own.isOffered() && place === null,
    locating,
    locate,
  };
}

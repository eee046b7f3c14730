import type { Weather } from "@mulkko/shared/rest/weather";
import { useEffect, useState } from "react";
import type { RestClient } from "../rest/client.ts";
import { fetchWeather, type Place } from "../rest/weather.ts";

/** Polling interval of the weather, ms; the relay polls its service no more often. */
const REFRESH_MS = 600_000;

export interface KnownWeather {
  readonly state: "asking" | "there" | "failed";
  readonly weather?: Weather;
}

/** Return the weather at a place, or at the farm without one, loaded again at intervals. */
export function useWeatherAt(client: RestClient, place: Place | null, language: string): KnownWeather {
  const [known, setKnown] = useState<KnownWeather>({ state: "asking" });
  useEffect(() => {
    const abort = new AbortController();
    const ask = async () => {
      try {
        const weather = await fetchWeather(client, place, language, abort.signal);
        setKnown({ state: "there", weather });
      } catch {
        // Keep the current weather with its age; the next interval tries again.
        if (!abort.signal.aborted) setKnown((before) => (before.weather ? before : { state: "failed" }));
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), REFRESH_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [client, place, language]);
  return known;
}

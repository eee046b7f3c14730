import type { Weather } from "@mulkko/shared/rest/weather";
import { useEffect, useState } from "react";
import type { RestClient } from "../rest/client.ts";
import { fetchWeather, type Place } from "../rest/weather.ts";

/** How often the weather is asked for, ms; the relay itself asks its service no more often. */
const REFRESH_MS = 600_000;

export interface KnownWeather {
  readonly state: "asking" | "there" | "failed";
  readonly weather?: Weather;
}

/** The weather at a place, or without one at the farm; asked for again and again. */
export function useWeatherAt(client: RestClient, place: Place | null, language: string): KnownWeather {
  const [known, setKnown] = useState<KnownWeather>({ state: "asking" });
  useEffect(() => {
    const abort = new AbortController();
    const ask = async () => {
      try {
        const weather = await fetchWeather(client, place, language, abort.signal);
        setKnown({ state: "there", weather });
      } catch {
        // The weather that stands there stays, with its age; the next round asks again.
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

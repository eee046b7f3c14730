import type { ServiceWeather } from "@mulkko/shared/rest/weather";
import type { Clock } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import { parseJson } from "@mulkko/shared/schema/parse";
import { LRUCache } from "lru-cache";
import { Type } from "typebox";
import type { Log } from "../runtime/log.ts";
import { readBody, retryAfter } from "../upstream/client.ts";
import { createSharedCalls } from "../upstream/shared-calls.ts";

/** Stops calls to a failing service, and lets one call at a time test if it is back. */
interface WeatherBreaker {
  /** True if a call may be made now; the caller then reports its result. */
  acquire(): boolean;
  succeeded(): void;
  /** @param pauseMs pause that starts at once; absent: a pause starts after several consecutive failures */
  failed(pauseMs?: number): void;
  /** The call was cancelled, which proves nothing about the service. */
  givenUp(): void;
}

/** Number of consecutive failures before a pause, and its length. */
const FAILURES = 3;
const PAUSE_MS = 60_000;
/** Maximum calls per minute: the service's free quota is only slightly larger. */
const CALLS_A_MINUTE = 50;
const MINUTE_MS = 60_000;

function createWeatherBreaker(clock: Clock): WeatherBreaker {
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let trying = false;
  const rate = createRateLimit(clock, MINUTE_MS);
  return {
    acquire() {
      if (clock.monotonic() < pausedUntil || trying) return false;
      if (rate.refuses("call", CALLS_A_MINUTE) !== null) return false;
      trying = failures >= FAILURES;
      return true;
    },
    succeeded() {
      failures = 0;
      trying = false;
    },
    failed(pauseMs) {
      trying = false;
      failures = pauseMs === undefined ? failures + 1 : FAILURES;
      if (failures >= FAILURES) pausedUntil = clock.monotonic() + (pauseMs ?? PAUSE_MS);
    },
    givenUp() {
      trying = false;
    },
  };
}

export type WeatherLanguage = ServiceWeather["language"];

/** The external weather service, called once per rounded place and language. */
export interface WeatherService {
  /**
   * Return the weather at a place in degrees; null if unknown. Rejects only for the signal, because the
   * caller has other sources.
   */
  at(
    place: { latitude: number; longitude: number },
    language: WeatherLanguage,
    signal: AbortSignal,
  ): Promise<ServiceWeather | null>;
}

/** The used part of the service's answer; all other fields are ignored. */
const Answer = Type.Object({
  weather: Type.Array(Type.Object({ icon: Type.String(), description: Type.String() })),
  main: Type.Object({ temp: Type.Number(), humidity: Type.Number() }),
  /** s since 1970 UTC */
  dt: Type.Optional(Type.Number()),
});

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES = 64 * 1024;
/** Age up to which an answer is current, and up to which it is usable while the service is unavailable. */
const FRESH_MS = 10 * 60_000;
const STALE_MS = 2 * 3_600_000;
const PLACES_AT_MOST = 2_000;
/** Pause after the service refuses the key. */
const REFUSED_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

/** The service uses its own code for Korean. */
const LANGUAGE_NAMES: Readonly<Record<WeatherLanguage, string>> = { ko: "kr", en: "en" };

/**
 * Round degrees to two decimals, about a kilometre: nearby places share an answer, and no user's position is
 * disclosed.
 */
export const roundedDegrees = (degrees: number): number => Math.round(degrees * 100) / 100;

/** A failure of the service; the message contains neither its address nor the key. */
class WeatherError extends Error {
  override readonly name = "WeatherError";
  readonly pauseMs: number | undefined;
  constructor(message: string, pauseMs?: number) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

export function createWeatherService(deps: {
  /** Address of the current weather, without a query. */
  readonly url: string;
  readonly key: string;
  readonly clock: Clock;
  readonly log: Log;
}): WeatherService {
  const { url, key, clock, log } = deps;
  const breaker = createWeatherBreaker(clock);
  const calls = createSharedCalls<ServiceWeather | null>();
  const known = new LRUCache<string, { weather: ServiceWeather; readAt: number }>({ max: PLACES_AT_MOST });

  const remembered = (name: string, forMs: number): ServiceWeather | null => {
    const found = known.get(name);
    return found && clock.monotonic() - found.readAt < forMs ? found.weather : null;
  };
  const read = async (query: URLSearchParams, signal: AbortSignal): Promise<string> => {
    const response = await fetch(`${url}?${query}`, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]),
    }).catch(() => {
      throw new WeatherError("service unreachable");
    });
    if (!response.ok) {
      await response.body?.cancel();
      const refused = response.status === 401 || response.status === 403;
      const asked = retryAfter(response.headers.get("retry-after"), clock.now());
      const pause = refused ? REFUSED_MS : asked === null ? undefined : Math.min(asked, LONGEST_PAUSE_MS);
      throw new WeatherError(`service answered ${response.status}`, pause);
    }
    return readBody(response, ANSWER_BYTES).catch(() => {
      throw new WeatherError("answer of the service incomplete");
    });
  };
  const ask = async (
    place: { latitude: number; longitude: number },
    language: WeatherLanguage,
    signal: AbortSignal,
  ): Promise<ServiceWeather> => {
    const query = new URLSearchParams({
      lat: String(place.latitude),
      lon: String(place.longitude),
      units: "metric",
      lang: LANGUAGE_NAMES[language],
      appid: key,
    });
    const answer = parseJson(Answer, await read(query, signal));
    if (!answer.ok) throw new WeatherError(`answer of the service invalid: ${answer.path}`);
    const { weather, main, dt } = answer.value;
    return {
      source: "service",
      at: new Date(dt === undefined ? clock.now() : dt * 1_000).toISOString(),
      stale: false,
      language,
      icon: weather[0]?.icon ?? null,
      description: weather[0]?.description ?? null,
      temperature: main.temp,
      humidity: main.humidity,
    };
  };

  return {
    async at(place, language, signal) {
      const rounded = {
        latitude: roundedDegrees(place.latitude),
        longitude: roundedDegrees(place.longitude),
      };
      const name = `${rounded.latitude} ${rounded.longitude} ${language}`;
      const fresh = remembered(name, FRESH_MS);
      if (fresh) return fresh;
      const work = async (given: AbortSignal): Promise<ServiceWeather | null> => {
        if (!breaker.acquire()) return null;
        try {
          const weather = await ask(rounded, language, given);
          breaker.succeeded();
          known.set(name, { weather, readAt: clock.monotonic() });
          return weather;
        } catch (error) {
          if (given.aborted) breaker.givenUp();
          else {
            breaker.failed(error instanceof WeatherError ? error.pauseMs : undefined);
            log.warn(
              { event: "weather-failed", reason: error instanceof Error ? error.message : "" },
              "weather service request failed",
            );
          }
          return null;
        }
      };
      const found = await calls.join(name, signal, work).result;
      if (found) return found;
      const stale = remembered(name, STALE_MS);
      return stale && { ...stale, stale: true };
    },
  };
}

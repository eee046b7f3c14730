import type { Clock } from "@mulkko/shared/rules/clock";

/** Keeps a service that fails from being asked, and lets one call at a time try whether it is back. */
export interface WeatherBreaker {
  /** True if a call may be made now; whoever got it says how it ended. */
  take(): boolean;
  succeeded(): void;
  /** @param pauseMs for which the service is left alone at once; left out: after some failures in a row */
  failed(pauseMs?: number): void;
  /** The call was given up, which says nothing of the service. */
  givenUp(): void;
}

/** Failures in a row after which it is left alone, and for how long. */
const FAILURES = 3;
const PAUSE_MS = 60_000;
/** Calls in a minute: what the service gives away for free is little more. */
const CALLS_A_MINUTE = 50;
const MINUTE_MS = 60_000;

export function createWeatherBreaker(clock: Clock): WeatherBreaker {
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let trying = false;
  let minute = { since: Number.NEGATIVE_INFINITY, calls: 0 };
  return {
    take() {
      const now = clock.monotonic();
      if (now < pausedUntil || trying) return false;
      if (now - minute.since >= MINUTE_MS) minute = { since: now, calls: 0 };
      if (minute.calls >= CALLS_A_MINUTE) return false;
      minute.calls += 1;
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

import type { Clock } from "@mulkko/shared/rules/clock";

/** Stops calls to a failing service, and lets one call at a time test if it is back. */
export interface WeatherBreaker {
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

export function createWeatherBreaker(clock: Clock): WeatherBreaker {
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let trying = false;
  let minute = { since: Number.NEGATIVE_INFINITY, calls: 0 };
  return {
    acquire() {
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

import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { UpstreamStatusError, UpstreamUnreachableError } from "./errors.ts";

/** Limits the rate and concurrency of all polls (POLL-1, POLL-3). */
export interface UpstreamLimiter {
  /** Run a poll when there is room. Rejects at once while the API is known to be unavailable. */
  pass<T>(ask: () => Promise<T>, options?: { urgent?: boolean }): Promise<T>;
  /** Set this node's share of the total rate, 0 to 1 (POLL-1). Return its rate, requests per second. */
  share(share: number): number;
  /** True during a pause that the API asked for. */
  readonly paused: boolean;
  close(): void;
}

export interface UpstreamLimiterDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Requests per second of all nodes together, `UPSTREAM_RPS`. */
  readonly perSecond: number;
  /** False while the breaker is open. */
  readonly reachable: () => boolean;
}

/** Upper bound of polls in flight. */
export const IN_FLIGHT = 64;
/** Longest pause that `Retry-After` can cause, ms; after it the API is asked all the same. */
const PAUSE_AT_MOST_MS = 300_000;
/** Upper bound of waiting polls; each unit waits once, so reasonable configurations never reach it. */
const WAITING_AT_MOST = 20_000;

interface Waiting {
  go(): void;
  stop(reason: UpstreamUnreachableError): void;
}

export function createUpstreamLimiter(deps: UpstreamLimiterDeps): UpstreamLimiter {
  const { clock, timers } = deps;
  const urgent: Waiting[] = [];
  const waiting: Waiting[] = [];
  let perSecond = deps.perSecond;
  let inFlight = 0;
  let tokens = perSecond;
  let filledAt = clock.monotonic();
  let pausedUntil = 0;
  let timer: { cancel(): void } | undefined;
  let closed = false;

  const fill = (): void => {
    const now = clock.monotonic();
    tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
  };
  const wake = (inMs: number): void => {
    timer?.cancel();
    timer = timers.after(Math.max(1, inMs), pump);
  };
  const pump = (): void => {
    fill();
    while ((urgent.length > 0 || waiting.length > 0) && inFlight < IN_FLIGHT) {
      const pause = pausedUntil - clock.monotonic();
      const waits = pause > 0 ? pause : Math.ceil(((1 - tokens) / perSecond) * 1000);
      if (waits > 0) {
        wake(waits);
        return;
      }
      tokens -= 1;
      inFlight += 1;
      (urgent.shift() ?? waiting.shift())?.go();
    }
  };
  const notAsked = (): UpstreamUnreachableError =>
    new UpstreamUnreachableError("The farm API is unavailable and was not called", "not-asked", {
      mayHaveExecuted: false,
    });

  return {
    share(share) {
      fill();
      // A nearly idle node must still be able to send a request.
      perSecond = Math.max(1, deps.perSecond * share);
      return perSecond;
    },
    get paused() {
      return pausedUntil > clock.monotonic();
    },
    async pass(ask, options) {
      if (closed || !deps.reachable()) throw notAsked();
      const queue = options?.urgent ? urgent : waiting;
      if (queue.length >= WAITING_AT_MOST) throw notAsked();
      await new Promise<void>((go, stop) => {
        queue.push({ go, stop });
        pump();
      });
      try {
        if (!deps.reachable()) throw notAsked();
        return await ask();
      } catch (error) {
        if (error instanceof UpstreamStatusError && error.retryAfterMs !== null) {
          const until = clock.monotonic() + Math.min(PAUSE_AT_MOST_MS, error.retryAfterMs);
          pausedUntil = Math.max(pausedUntil, until);
        }
        throw error;
      } finally {
        inFlight -= 1;
        pump();
      }
    },
    close() {
      closed = true;
      timer?.cancel();
      for (const one of [...urgent.splice(0), ...waiting.splice(0)]) one.stop(notAsked());
    },
  };
}

import type { Clock } from "@mulkko/shared/rules/clock";
import type { Timers } from "../ports/timers.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "./errors.ts";

/** Through which every poll passes, so that the API is asked by measure (POLL-1, POLL-3). */
export interface Gate {
  /** Runs a poll when there is room. Rejects at once while the API is known to be away. */
  pass<T>(ask: () => Promise<T>, options?: { urgent?: boolean }): Promise<T>;
  /** Of all that may be asked a second, this node's share, 0 to 1 (POLL-1). */
  share(share: number): void;
  /** True while the API asked to be left alone. */
  readonly paused: boolean;
  close(): void;
}

export interface GateParts {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Requests a second of all nodes together, `UPSTREAM_RPS`. */
  readonly perSecond: number;
  /** False while the breaker is open. */
  readonly reachable: () => boolean;
}

/** Polls under way at most. */
export const IN_FLIGHT = 64;
/** ms that `Retry-After` is obeyed at most; an API that wants more is asked all the same. */
const PAUSE_AT_MOST_MS = 300_000;
/** Polls that wait for room at most; one unit waits once, so that this is never met by sane numbers. */
const WAITING_AT_MOST = 20_000;

interface Waiting {
  go(): void;
  stop(reason: UpstreamUnreachableError): void;
}

export function createGate(parts: GateParts): Gate {
  const { clock, timers } = parts;
  const urgent: Waiting[] = [];
  const waiting: Waiting[] = [];
  let perSecond = parts.perSecond;
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
    new UpstreamUnreachableError("The farm API is not reachable and was not asked", "not-asked", {
      mayHaveExecuted: false,
    });

  return {
    share(share) {
      fill();
      // A node with next to nothing to do must still be able to ask for it.
      perSecond = Math.max(1, parts.perSecond * share);
    },
    get paused() {
      return pausedUntil > clock.monotonic();
    },
    async pass(ask, options) {
      if (closed || !parts.reachable()) throw notAsked();
      const queue = options?.urgent ? urgent : waiting;
      if (queue.length >= WAITING_AT_MOST) throw notAsked();
      await new Promise<void>((go, stop) => {
        queue.push({ go, stop });
        pump();
      });
      try {
        if (!parts.reachable()) throw notAsked();
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

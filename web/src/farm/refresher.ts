import type { Clock, Timer, Timers } from "@mulkko/shared/rules/clock";

export interface RefresherOptions<Answer> {
  readonly ask: (signal: AbortSignal) => Promise<Answer>;
  readonly onAnswer: (answer: Answer) => void;
  /** Called on a failure; the next change or interval tries again. */
  readonly onFailure: (error: unknown) => void;
  /** Least time between the starts of two requests, ms, however often something changes. */
  readonly restMs: number;
  /** Reload interval without changes, ms. */
  readonly roundMs: number;
  readonly clock: Pick<Clock, "monotonic">;
  readonly timers: Timers;
}

/** Reload after changes, at a limited rate. */
export interface Refresher {
  /** Report a change: reload soon, or as soon as the rate allows. */
  changed(): void;
  /** Report a change that a user waits for: reload soon, at most every two seconds. */
  soon(): void;
  /** Reload now, on the user's request. */
  again(): void;
  stop(): void;
}

/** Milliseconds to wait after a change, so that simultaneous changes cause one request. */
const GATHER_MS = 400;

/** First delay between requests, ms; it grows up to `restMs`. */
const FIRST_REST_MS = 2_000;
const REST_GROWS = 5;

/**
 * Start with a request at once, often before all of its inputs have arrived. Early changes are requested
 * soon, continuing changes at growing intervals. A new request aborts the one under way.
 */
export function createRefresher<Answer>(options: RefresherOptions<Answer>): Refresher {
  const { ask, onAnswer, onFailure, restMs, roundMs, clock, timers } = options;
  let asking: AbortController | null = null;
  let asked = Number.NEGATIVE_INFINITY;
  let questions = 0;
  let next: Timer | null = null;
  let due = Number.POSITIVE_INFINITY;
  let stopped = false;

  const plan = (ms: number): void => {
    const at = clock.monotonic() + ms;
    if (stopped || at >= due) return;
    next?.cancel();
    due = at;
    next = timers.after(ms, () => void run());
  };
  const run = async (): Promise<void> => {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    asked = clock.monotonic();
    questions += 1;
    due = Number.POSITIVE_INFINITY;
    next?.cancel();
    next = null;
    plan(roundMs);
    try {
      const answer = await ask(mine.signal);
      if (asking === mine && !stopped) onAnswer(answer);
    } catch (error) {
      if (asking === mine && !stopped) onFailure(error);
    }
  };
  const rest = (): number => Math.min(restMs, FIRST_REST_MS * REST_GROWS ** (questions - 1));
  void run();
  return {
    changed: () => plan(Math.max(GATHER_MS, asked + rest() - clock.monotonic())),
    soon: () => plan(Math.max(GATHER_MS, asked + FIRST_REST_MS - clock.monotonic())),
    again: () => void run(),
    stop() {
      stopped = true;
      next?.cancel();
      asking?.abort();
    },
  };
}

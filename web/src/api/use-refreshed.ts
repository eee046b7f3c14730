import { systemClock, systemTimers, type Timer } from "@mulkko/shared/rules/clock";
import type { QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { RestClient } from "./client.ts";
import { errorReason } from "./errors.ts";
import { useReload, useRestQuery } from "./queries.tsx";

/** Value that is loaded again as the farm changes. A failure keeps the last value. */
export interface Refreshed<Answer> {
  /** Null until it has loaded. */
  readonly value: Answer | null;
  /** Reason of the last failure, for `labels.error`; null without one. */
  readonly failure: string | null;
  again(): void;
}

export interface RefreshedOptions<Answer> {
  readonly queryKey: QueryKey;
  readonly ask: (rest: RestClient, signal: AbortSignal) => Promise<Answer>;
  /** Text of the inputs; a different text requests the value again. */
  readonly inputs: string;
  /** Text of inputs that a user changes; a different text requests the value soon, whatever `restMs` is. */
  readonly promptInputs?: string;
  /** Least time between the starts of two requests after changes, ms, however often something changes. */
  readonly restMs: number;
  /** Reload interval without changes, ms. */
  readonly roundMs: number;
}

/** Milliseconds to wait after a change, so that simultaneous changes cause one request. */
const GATHER_MS = 400;

/** First delay between requests, ms; it grows up to `restMs`. */
const FIRST_REST_MS = 2_000;
const REST_GROWS = 5;

/**
 * Load a value at once, often before all of its inputs have arrived, and again as they change: soon after the
 * first changes, at growing intervals while changes continue.
 */
export function useRefreshed<Answer>(options: RefreshedOptions<Answer>): Refreshed<Answer> {
  const { queryKey, ask, inputs, promptInputs, restMs, roundMs } = options;
  const reload = useReload();
  const asked = useRef({ at: 0, times: 0 });
  const query = useRestQuery(
    queryKey,
    (rest, signal) => {
      asked.current = { at: systemClock.monotonic(), times: asked.current.times + 1 };
      return ask(rest, signal);
    },
    { refetchInterval: roundMs },
  );
  const planned = useRef<{ due: number; timer: Timer } | null>(null);
  const fire = useEffectEvent(() => {
    planned.current = null;
    reload(queryKey);
  });
  const plan = (leastMs: number): void => {
    const now = systemClock.monotonic();
    const due = Math.max(now + GATHER_MS, asked.current.at + leastMs);
    if (planned.current !== null && planned.current.due <= due) return;
    planned.current?.timer.cancel();
    planned.current = { due, timer: systemTimers.after(due - now, fire) };
  };
  useOnChange(inputs, () =>
    plan(Math.min(restMs, FIRST_REST_MS * REST_GROWS ** Math.max(0, asked.current.times - 1))),
  );
  useOnChange(promptInputs, () => plan(FIRST_REST_MS));
  useEffect(() => () => planned.current?.timer.cancel(), []);
  return {
    value: query.data,
    failure: query.error && errorReason(query.error),
    again: () => void query.refetch(),
  };
}

/** Call a function when a value changes, but not for the first value. */
function useOnChange(value: unknown, onChange: () => void): void {
  const last = useRef(value);
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    if (Object.is(last.current, value)) return;
    last.current = value;
    changed();
  }, [value]);
}

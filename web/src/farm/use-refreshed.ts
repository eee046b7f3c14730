import { useEffect, useRef, useState } from "react";
import { errorReason } from "../rest/error-reason.ts";
import { createRefresher, type Refresher, type RefresherTime } from "./refresher.ts";

const browserTime: RefresherTime = {
  now: () => performance.now(),
  after(ms, run) {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
};

/** Something that is asked for, and asked for again as the farm changes. What was there stays while it fails. */
export interface Refreshed<Answer> {
  /** null until it has come. */
  readonly value: Answer | null;
  /** Why the last question failed, for `labels.error`; null while all is well. */
  readonly failure: string | null;
  again(): void;
}

export interface RefreshedOptions<Answer> {
  /** Stays the same function while the same thing is asked for. */
  readonly ask: (signal: AbortSignal) => Promise<Answer>;
  /** Another text is a change of what the answer is made of. */
  readonly sign: string;
  readonly restMs: number;
  readonly roundMs: number;
}

export function useRefreshed<Answer>(options: RefreshedOptions<Answer>): Refreshed<Answer> {
  const { ask, sign, restMs, roundMs } = options;
  const [state, setState] = useState<{ ask: unknown; value: Answer | null; failure: string | null }>({
    ask,
    value: null,
    failure: null,
  });
  const refresher = useRef<Refresher | null>(null);
  const lastSign = useRef(sign);
  useEffect(() => {
    const made = createRefresher<Answer>({
      ask,
      onAnswer: (value) => setState({ ask, value, failure: null }),
      onFailure: (error) =>
        setState((before) => ({
          ask,
          value: before.ask === ask ? before.value : null,
          failure: errorReason(error),
        })),
      restMs,
      roundMs,
      time: browserTime,
    });
    refresher.current = made;
    return () => made.stop();
  }, [ask, restMs, roundMs]);
  useEffect(() => {
    if (lastSign.current === sign) return;
    lastSign.current = sign;
    refresher.current?.changed();
  }, [sign]);
  // An answer to another question is no answer to this one.
  const mine = state.ask === ask;
  return {
    value: mine ? state.value : null,
    failure: mine ? state.failure : null,
    again: () => refresher.current?.again(),
  };
}

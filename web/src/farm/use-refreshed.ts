import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { useEffect, useRef, useState } from "react";
import { errorReason } from "../rest/error-reason.ts";
import { createRefresher, type Refresher } from "./refresher.ts";

/** Value that is loaded again as the farm changes. A failure keeps the last value. */
export interface Refreshed<Answer> {
  /** Null until it has loaded. */
  readonly value: Answer | null;
  /** Reason of the last failure, for `labels.error`; null without one. */
  readonly failure: string | null;
  again(): void;
}

export interface RefreshedOptions<Answer> {
  /** Must stay the same function while the same thing is requested. */
  readonly ask: (signal: AbortSignal) => Promise<Answer>;
  /** Text of the inputs; a different text requests the value again. */
  readonly inputs: string;
  /** Text of inputs that a user changes; a different text requests the value soon, whatever `restMs` is. */
  readonly promptInputs?: string;
  readonly restMs: number;
  readonly roundMs: number;
}

export function useRefreshed<Answer>(options: RefreshedOptions<Answer>): Refreshed<Answer> {
  const { ask, inputs, promptInputs, restMs, roundMs } = options;
  const [state, setState] = useState<{ ask: unknown; value: Answer | null; failure: string | null }>({
    ask,
    value: null,
    failure: null,
  });
  const refresher = useRef<Refresher | null>(null);
  const lastInputs = useRef(inputs);
  const lastPrompt = useRef(promptInputs);
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
      clock: systemClock,
      timers: systemTimers,
    });
    refresher.current = made;
    return () => made.stop();
  }, [ask, restMs, roundMs]);
  useEffect(() => {
    if (lastInputs.current === inputs) return;
    lastInputs.current = inputs;
    refresher.current?.changed();
  }, [inputs]);
  useEffect(() => {
    if (lastPrompt.current === promptInputs) return;
    lastPrompt.current = promptInputs;
    refresher.current?.soon();
  }, [promptInputs]);
  // The stored answer may belong to a previous request.
  const mine = state.ask === ask;
  return {
    value: mine ? state.value : null,
    failure: mine ? state.failure : null,
    again: () => refresher.current?.again(),
  };
}

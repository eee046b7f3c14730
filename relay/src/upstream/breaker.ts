import type { Random } from "@mulkko/shared/rules/clock";
import type { Timers } from "../runtime/timers.ts";

/** Stops requests to an unavailable API: polls wait while a single probe is sent (POLL-3). */
export interface Breaker {
  readonly open: boolean;
  succeeded(): void;
  failed(): void;
  /** Open the breaker at once: the API's answers are unusable. */
  trip(): void;
  close(): void;
}

export interface BreakerDeps {
  readonly timers: Timers;
  readonly random: Random;
  /** Send a small request to the API; resolves to true if it answered at all. */
  readonly probe: () => Promise<boolean>;
  readonly onChange: (state: "closed" | "half-open" | "open") => void;
}

/** Number of consecutive faults that open the breaker. */
const FAULTS = 3;
const PROBE_FIRST_MS = 1_000;
const PROBE_LAST_MS = 30_000;

/** @remarks starts open and probes at once, because the state of the API is unknown */
export function createBreaker(deps: BreakerDeps): Breaker {
  let faults = FAULTS;
  let open = true;
  let wait = PROBE_FIRST_MS;
  let closed = false;
  let timer: { cancel(): void } | undefined;

  const shut = (): void => {
    faults = 0;
    wait = PROBE_FIRST_MS;
    if (!open) return;
    open = false;
    timer?.cancel();
    deps.onChange("closed");
  };
  const probe = async (): Promise<void> => {
    deps.onChange("half-open");
    const answered = await deps.probe();
    if (closed || !open) return;
    if (answered) {
      shut();
      return;
    }
    deps.onChange("open");
    later();
  };
  const later = (): void => {
    timer?.cancel();
    timer = deps.timers.after(wait * (0.5 + deps.random() / 2), () => void probe());
    wait = Math.min(PROBE_LAST_MS, wait * 2);
  };
  timer = deps.timers.after(0, () => void probe());
  const trip = (): void => {
    if (open || closed) return;
    open = true;
    deps.onChange("open");
    later();
  };

  return {
    get open() {
      return open;
    },
    succeeded: shut,
    failed() {
      faults += 1;
      if (faults >= FAULTS) trip();
    },
    trip,
    close() {
      closed = true;
      timer?.cancel();
    },
  };
}

import type { Random } from "@mulkko/shared/rules/clock";
import type { Timers } from "../ports/timers.ts";

/** Keeps the relay from asking an API that is away: polls wait while a single probe goes through (POLL-3). */
export interface Breaker {
  readonly open: boolean;
  succeeded(): void;
  failed(): void;
  /** Opens it at once: what the API answers is of no use. */
  trip(): void;
  close(): void;
}

export interface BreakerParts {
  readonly timers: Timers;
  readonly random: Random;
  /** Asks the API something small; resolves if it answered at all, whatever it said. */
  readonly probe: () => Promise<boolean>;
  readonly onChange: (state: "closed" | "half-open" | "open") => void;
}

/** Faults in a row that open it. */
const FAULTS = 3;
const PROBE_FIRST_MS = 1_000;
const PROBE_LAST_MS = 30_000;

/** @remarks begins open, and probes at once: nothing is known of the API yet. */
export function createBreaker(parts: BreakerParts): Breaker {
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
    parts.onChange("closed");
  };
  const probe = async (): Promise<void> => {
    parts.onChange("half-open");
    const answered = await parts.probe();
    if (closed || !open) return;
    if (answered) {
      shut();
      return;
    }
    parts.onChange("open");
    later();
  };
  const later = (): void => {
    timer?.cancel();
    timer = parts.timers.after(wait * (0.5 + parts.random() / 2), () => void probe());
    wait = Math.min(PROBE_LAST_MS, wait * 2);
  };
  timer = parts.timers.after(0, () => void probe());
  const trip = (): void => {
    if (open || closed) return;
    open = true;
    parts.onChange("open");
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

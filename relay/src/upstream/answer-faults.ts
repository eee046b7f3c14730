import type { FailedCall } from "./client.ts";
import { UpstreamAnswerError, type UpstreamError, UpstreamStatusError } from "./errors.ts";

/**
 * Separates an API that answers every call with a fault (status 500, a foreign page) from one that lacks or
 * fails a single call. The former counts as unavailable (POLL-3).
 */
export interface AnswerFaults {
  /** Record a call that was answered by a fault. @returns false if it does not concern live values */
  failed(call: FailedCall): boolean;
  /** Record a call of this unit that was answered correctly. */
  succeeded(unit: string): void;
  /** True if no call was answered correctly for a while, not even those that every API has. */
  readonly isAll: boolean;
  /** Repeat the failed calls; true if one succeeds, or nothing has failed. */
  isServed(): Promise<boolean>;
}

/** Number of consecutive faults. */
const FAULTS = 3;
/** The list that every farm API provides and the relay requires. */
const INDISPENSABLE = "sensors";
/** Units with live values: a plain API may answer any other call with a page of its own. */
const LIVE = new Set([
  INDISPENSABLE,
  "farms",
  "controllers",
  "controller",
  "notifications",
  "latest",
  "latest-mqtt",
  "refresh",
  "moisture",
]);

/** True for a status of 500 or more, or an answer that violates the contract. */
export const isAnswerFault = (error: UpstreamError): boolean =>
  error instanceof UpstreamAnswerError || (error instanceof UpstreamStatusError && error.status >= 500);

export function createAnswerFaults(): AnswerFaults {
  let faults = 0;
  let askAgain: (() => Promise<unknown>) | undefined;
  return {
    failed({ unit, again }) {
      if (again === null || !LIVE.has(unit)) return false;
      faults += 1;
      if (unit === INDISPENSABLE) askAgain = again;
      return true;
    },
    succeeded(unit) {
      if (!LIVE.has(unit)) return;
      faults = 0;
      askAgain = undefined;
    },
    get isAll() {
      return faults >= FAULTS && askAgain !== undefined;
    },
    async isServed() {
      if (!askAgain) return true;
      try {
        await askAgain();
        return true;
      } catch (error) {
        // A working API refuses a token that has ended meanwhile.
        return error instanceof UpstreamStatusError && error.status < 500;
      }
    },
  };
}

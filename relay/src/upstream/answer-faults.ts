import type { FailedCall } from "./client.ts";
import { UpstreamAnswerError, type UpstreamError, UpstreamStatusError } from "./errors.ts";

/**
 * Tells an API that answers and serves nothing (500 to everything, the page of somebody else) from one that merely
 * lacks a call or fails in one: what answers is not away, but where all of it fails it is as good as that (POLL-3).
 */
export interface AnswerFaults {
  /** A call was answered by a fault. @returns false where it says nothing of live values */
  failed(call: FailedCall): boolean;
  /** A call of this unit was answered as agreed. */
  succeeded(unit: string): void;
  /** Nothing was answered as agreed for a while, not even what every API has. */
  readonly isAll: boolean;
  /** Asks again what failed; true if it is served, or nothing has failed. */
  isServed(): Promise<boolean>;
}

/** Faults in a row. */
const FAULTS = 3;
/** The list that every farm API has, and that nothing works without. */
const INDISPENSABLE = "sensors";
/** What is asked for live values: a plain API may well answer anything else with a page of its own. */
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

/** True for an answer that is no answer: a status of 500 or more, or not what was agreed. */
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
        // A token that has ended meanwhile is refused by an API that works.
        return error instanceof UpstreamStatusError && error.status < 500;
      }
    },
  };
}

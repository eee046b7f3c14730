import { DESPITE_OPEN_VALVE } from "@mulkko/shared/rest/routes";
import { ApiError } from "./errors.ts";

/** Timeout of a call that may close valves first, ms: the relay waits 20 s for their reports (CMD-15). */
const CLOSING_TIMEOUT_MS = 30_000;

/** Decision about a valve that is not reported closed (CMD-15). */
export interface OverValve {
  /** The user insists on the call. */
  readonly despiteOpenValve?: boolean;
}

/** Return the fields of a call before which the relay may close valves. */
export const closingFirst = ({ despiteOpenValve = false }: OverValve) => ({
  timeoutMs: CLOSING_TIMEOUT_MS,
  headers: despiteOpenValve ? { [DESPITE_OPEN_VALVE]: "1" } : {},
});

/** Return true if a call was not executed because a valve is not reported closed. */
export const isValveOpen = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "valve-open";

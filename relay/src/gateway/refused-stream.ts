import type { ErrorCode } from "@mulkko/shared/rest/errors";
import { StoreUnavailableError } from "../store/errors.ts";
import { NoAccessError } from "../upstream/errors.ts";

/** The `error` for a stream that a client does not get. Its session continues. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly temporary: boolean;
}

const refusal = (code: ErrorCode, message: string, temporary: boolean): Refusal => ({
  code,
  message,
  temporary,
});

export const REFUSED = {
  tooSoon: refusal("too-many-requests", "tracked keys change at most once a second", true),
  notAdministrator: refusal("forbidden", "for administrators only", false),
  noSuchStream: refusal("not-found", "another account has no such stream", false),
} as const;

/**
 * Return the refusal of another account's stream that could not be opened. An undefined error means that the
 * role has changed.
 */
export function lostStream(error: unknown): Refusal {
  if (error === undefined) return REFUSED.notAdministrator;
  if (error instanceof NoAccessError) return refusal("forbidden", "the farm API refuses access to it", true);
  if (error instanceof StoreUnavailableError)
    return refusal("store-down", "the relay's store is unavailable", true);
  return refusal("upstream-down", "it is unavailable at present", true);
}

import type { ErrorCode } from "@mulkko/shared/rest/errors";
import { StoreUnavailableError } from "../store/errors.ts";
import { NoAccessError } from "../upstream/errors.ts";

/** What a client hears of a stream that it does not get, as `error`; its session goes on. */
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

/** Of a stream that is not the account's own and could not be had; undefined: the role is another by now. */
export function lostStream(error: unknown): Refusal {
  if (error === undefined) return REFUSED.notAdministrator;
  if (error instanceof NoAccessError)
    return refusal("forbidden", "the farm API does not let the relay read it", true);
  if (error instanceof StoreUnavailableError) return refusal("store-down", "the relay's store is away", true);
  return refusal("upstream-down", "it cannot be read now", true);
}

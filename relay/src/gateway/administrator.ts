import type { ErrorCode } from "@mulkko/shared/rest/errors";
import type { ProvenAccount } from "../ports/tokens.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { NoAccessError } from "../upstream/errors.ts";

/** A value that nobody knows counts as USER. */
export const isAdministrator = ({ account }: ProvenAccount): boolean => account.userType === "ADMIN";

/** HS-2: reading as somebody else is written down; no farm API takes entries for its own audit from outside. */
export const READ_AS = "an administrator reads another account";

/** What a client hears of a stream that is not its own and could not be had, or no more. */
export function lostStream(error: unknown): [code: ErrorCode, message: string, temporary: boolean] {
  if (error === undefined) return ["forbidden", "for administrators only", false];
  if (error instanceof NoAccessError)
    return ["forbidden", "the farm API does not let the relay read it", true];
  if (error instanceof StoreUnavailableError) return ["store-down", "the relay's store is away", true];
  return ["upstream-down", "it cannot be read now", true];
}

import {
  hasPasswordLength,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  USERNAME_MAX_LENGTH,
  USERNAME_PATTERN,
} from "@mulkko/shared/rules/login";
import { dictionary } from "@zxcvbn-ts/language-common";
import type { FieldErrors } from "../http/api-error.ts";

/**
 * Number of the most common leaked passwords to refuse; the list has five times as many, the most common
 * first.
 */
const REFUSED = 10_000;
const COMMON: ReadonlySet<string> = new Set(dictionary["passwords-common"].slice(0, REFUSED));

/** True for an easily guessed password: a common one, ignoring case, or one repeated character. */
function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase()) || /^(.)\1*$/su.test(password);
}

/** Lifetimes of tokens, and the grace period of a replaced refresh token. */
export const ACCESS_TOKEN_S = 30 * 60;
export const RELAY_TOKEN_S = 10 * 60;
export const REFRESH_TOKEN_MS = 30 * 86_400_000;
export const ROTATION_GRACE_MS = 60_000;

/** A refresh token with its stored state. Times are ms since 1970 UTC. */
export interface FoundToken {
  /** Rotations before this token was issued. */
  readonly generation: number;
  readonly expiresAt: number;
  /** Time of its rotation; null where it is the newest. */
  readonly rotatedAt: number | null;
  /** Rotations of its session so far. */
  readonly sessionGeneration: number;
  readonly sessionRevoked: boolean;
  readonly accountDisabled: boolean;
}

/**
 * Decision about a refresh token: `rotate`; `repeat` the pair that replaced it (a second tab, a lost answer);
 * `refuse`; or `revoke` the whole session, because a token used twice was stolen.
 */
export type RefreshDecision =
  | { readonly kind: "rotate" }
  | { readonly kind: "repeat"; readonly rotatedAt: number }
  | { readonly kind: "refuse" }
  | { readonly kind: "revoke" };

export function decideRefresh(token: FoundToken, now: number): RefreshDecision {
  if (token.sessionRevoked || token.accountDisabled || now >= token.expiresAt) return { kind: "refuse" };
  if (token.generation === token.sessionGeneration) return { kind: "rotate" };
  const isPreceding = token.generation === token.sessionGeneration - 1;
  if (isPreceding && token.rotatedAt !== null && now - token.rotatedAt <= ROTATION_GRACE_MS) {
    return { kind: "repeat", rotatedAt: token.rotatedAt };
  }
  return { kind: "revoke" };
}

/** Return the reason for which a text is not a valid user name; null for a valid one. */
export function usernameFault(username: string): string | null {
  if (new RegExp(USERNAME_PATTERN).test(username)) return null;
  return `The user name must have 5 to ${USERNAME_MAX_LENGTH} letters, digits, underscores or hyphens.`;
}

/**
 * Return the reason for which a text is not a valid password; null for a valid one.
 *
 * @param minLength fewest characters
 * @param refused a publicly known password; null where there is none
 */
export function passwordFault(password: string, minLength: number, refused: string | null): string | null {
  if (!hasPasswordLength(password, minLength) || /\p{Cc}/u.test(password)) {
    return `The password must have ${minLength} to ${PASSWORD_MAX_LENGTH} characters and no control characters.`;
  }
  if (isCommonPassword(password)) return "This password is too common.";
  return password === refused ? "The demo password cannot be used." : null;
}

/** Return the faults of a new account's user name and password; empty where both are valid. */
export function registrationFaults(username: string, password: string, refused: string | null): FieldErrors {
  const faults = [
    ["username", usernameFault(username)],
    ["password", passwordFault(password, PASSWORD_MIN_LENGTH.registration, refused)],
  ] as const;
  return faults.flatMap(([field, defaultMessage]) => (defaultMessage ? [{ field, defaultMessage }] : []));
}

/** Return the faults of a new password; empty where it is valid. @param refused a publicly known password */
export function passwordChangeFaults(
  newPassword: string,
  confirmPassword: string,
  refused: string | null,
): FieldErrors {
  const fault = passwordFault(newPassword, PASSWORD_MIN_LENGTH.change, refused);
  return [
    ...(fault ? [{ field: "newPassword", defaultMessage: fault }] : []),
    ...(newPassword === confirmPassword
      ? []
      : [{ field: "confirmPassword", defaultMessage: "The passwords do not match." }]),
  ];
}

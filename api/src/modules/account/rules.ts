import {
  LOGIN_MAX_LENGTH,
  PASSWORD_CHARACTERS,
  PASSWORD_MIN_LENGTH,
  USERNAME_PATTERN,
} from "@mulkko/shared/rules/login";
import type { FieldErrors } from "../../http/api-error.ts";

/** How long each kind of token lasts, and how long the one before the newest is still answered. */
export const ACCESS_TOKEN_S = 30 * 60;
export const RELAY_TOKEN_S = 10 * 60;
export const REFRESH_TOKEN_MS = 30 * 86_400_000;
export const ROTATION_GRACE_MS = 60_000;

/** A refresh token as it is found in the database. Times are milliseconds since 1970 UTC. */
export interface FoundToken {
  /** Rotations before this token was made. */
  readonly generation: number;
  readonly expiresAt: number;
  /** When it was exchanged for its successor; null where it is the newest. */
  readonly rotatedAt: number | null;
  /** Rotations of its session so far. */
  readonly sessionGeneration: number;
  readonly sessionRevoked: boolean;
  readonly accountDisabled: boolean;
}

/**
 * What to do with a refresh token: `rotate`; `repeat` the pair that it was exchanged for (a second tab, a lost
 * answer); `refuse`; or `revoke` the whole session, as a token used twice has been stolen from one of the two.
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

/** Why a text cannot be a user name; null where it can. */
export function usernameFault(username: string): string | null {
  if (new RegExp(USERNAME_PATTERN).test(username)) return null;
  return `The user name must have 5 to ${LOGIN_MAX_LENGTH} letters, digits, underscores or hyphens.`;
}

/**
 * Why a text cannot be a password; null where it can.
 *
 * @param minLength fewest characters
 * @param refused a password that everybody knows; null where there is none
 */
export function passwordFault(password: string, minLength: number, refused: string | null): string | null {
  const { length } = password;
  const isLong = length >= minLength && length <= LOGIN_MAX_LENGTH;
  if (!isLong || !new RegExp(PASSWORD_CHARACTERS).test(password)) {
    return `The password must have ${minLength} to ${LOGIN_MAX_LENGTH} letters, digits or characters of ~!@#$%^&*()+_|<>?:{}.`;
  }
  return password === refused ? "This is the password of the demo, which everybody knows." : null;
}

/** Why a user name and a password cannot be those of a new account; empty where they can. */
export function registrationFaults(username: string, password: string, refused: string | null): FieldErrors {
  const faults = [
    ["username", usernameFault(username)],
    ["password", passwordFault(password, PASSWORD_MIN_LENGTH.registration, refused)],
  ] as const;
  return faults.flatMap(([field, defaultMessage]) => (defaultMessage ? [{ field, defaultMessage }] : []));
}

/** Why a new password cannot be taken; empty where it can. @param refused a password that everybody knows */
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
      : [{ field: "confirmPassword", defaultMessage: "The confirmation differs from the password." }]),
  ];
}

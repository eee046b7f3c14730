import { LOGIN_MAX_LENGTH, PASSWORD_PATTERN, USERNAME_PATTERN } from "@mulkko/shared/rules/login";

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

/** Why a user name or password cannot be that of a new account; null where both can. */
export function registrationFault(
  username: string,
  password: string,
  refusedPassword: string,
): { readonly field: "username" | "password"; readonly message: string } | null {
  if (!new RegExp(USERNAME_PATTERN).test(username)) {
    return {
      field: "username",
      message: `must be 5 to ${LOGIN_MAX_LENGTH} letters, digits, underscores or hyphens`,
    };
  }
  if (!new RegExp(PASSWORD_PATTERN).test(password)) {
    return {
      field: "password",
      message: `must be 8 to ${LOGIN_MAX_LENGTH} letters, digits or characters of ~!@#$%^&*()+_|<>?:{}`,
    };
  }
  if (password === refusedPassword) {
    return { field: "password", message: "is the password of the demo, which everybody knows" };
  }
  return null;
}

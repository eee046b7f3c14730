import { hasPasswordLength, PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";
import { ApiError } from "../../api/errors.ts";

/** Faults of a new password and its repetition; empty if both are valid. */
export interface PasswordFaults {
  readonly password?: "passwordRequired" | "passwordWrong";
  readonly confirm?: "confirmWrong";
}

export function passwordFaults(password: string, confirm: string): PasswordFaults {
  if (password === "") return { password: "passwordRequired" };
  const fits = hasPasswordLength(password, PASSWORD_MIN_LENGTH.registration);
  return {
    ...(fits ? {} : { password: "passwordWrong" as const }),
    ...(confirm === password ? {} : { confirm: "confirmWrong" as const }),
  };
}

/** Return the part that the server refused: the link or the password; null for any other error. */
export function refusedPart(error: unknown): "token" | "password" | null {
  if (!(error instanceof ApiError)) return null;
  const named = error.fields.map(({ field }) => field);
  if (named.includes("token")) return "token";
  return named.includes("password") ? "password" : null;
}

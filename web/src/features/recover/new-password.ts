import { LOGIN_MAX_LENGTH, PASSWORD_CHARACTERS, PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";
import { ApiError } from "../../rest/errors.ts";

const CHARACTERS = new RegExp(PASSWORD_CHARACTERS);

/** What is wrong with a new password and its repetition; nothing where both will do. */
export interface PasswordFaults {
  readonly password?: "passwordRequired" | "passwordWrong";
  readonly confirm?: "confirmWrong";
}

export function passwordFaults(password: string, confirm: string): PasswordFaults {
  if (password === "") return { password: "passwordRequired" };
  const fits =
    password.length >= PASSWORD_MIN_LENGTH.registration &&
    password.length <= LOGIN_MAX_LENGTH &&
    CHARACTERS.test(password);
  return {
    ...(fits ? {} : { password: "passwordWrong" as const }),
    ...(confirm === password ? {} : { confirm: "confirmWrong" as const }),
  };
}

/** Which of the two the server did not take: the link, or the password; null: something else was wrong. */
export function refusedPart(error: unknown): "token" | "password" | null {
  if (!(error instanceof ApiError)) return null;
  const named = error.fields.map(({ field }) => field);
  if (named.includes("token")) return "token";
  return named.includes("password") ? "password" : null;
}

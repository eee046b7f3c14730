import { LOGIN_MAX_LENGTH, PASSWORD_CHARACTERS, PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";

export interface PasswordValues {
  /** Empty where an administrator sets the password. */
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
}

export type PasswordFault = "required" | "short" | "characters" | "differs";

const ALLOWED = new RegExp(PASSWORD_CHARACTERS);

/** Most characters of a password, as many as the login takes. */
export const PASSWORD_MAX_LENGTH = LOGIN_MAX_LENGTH;
export const PASSWORD_SHORTEST = PASSWORD_MIN_LENGTH.change;

/** Check a new password and its repetition, and with `own` that the current one is given. */
export function passwordFaults(
  values: PasswordValues,
  own: boolean,
): Partial<Record<keyof PasswordValues, PasswordFault>> {
  const { currentPassword, newPassword, confirmPassword } = values;
  const faults: Partial<Record<keyof PasswordValues, PasswordFault>> = {};
  if (own && currentPassword === "") faults.currentPassword = "required";
  if (newPassword.length < PASSWORD_SHORTEST || newPassword.length > PASSWORD_MAX_LENGTH) {
    faults.newPassword = "short";
  } else if (!ALLOWED.test(newPassword)) {
    faults.newPassword = "characters";
  }
  if (confirmPassword !== newPassword) faults.confirmPassword = "differs";
  return faults;
}

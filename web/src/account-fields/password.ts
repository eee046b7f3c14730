import { LOGIN_MAX_LENGTH, PASSWORD_CHARACTERS, PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";

export interface PasswordValues {
  readonly newPassword: string;
  readonly confirmPassword: string;
}

export type PasswordFault = "short" | "characters" | "differs";

const ALLOWED = new RegExp(PASSWORD_CHARACTERS);

/** Most characters of a password, as many as the login takes. */
export const PASSWORD_MAX_LENGTH = LOGIN_MAX_LENGTH;
export const PASSWORD_SHORTEST = PASSWORD_MIN_LENGTH.change;

/** What is wrong with a password that an administrator sets, and with its repetition. */
export function passwordFaults(values: PasswordValues): Partial<Record<keyof PasswordValues, PasswordFault>> {
  const { newPassword, confirmPassword } = values;
  const faults: Partial<Record<keyof PasswordValues, PasswordFault>> = {};
  if (newPassword.length < PASSWORD_SHORTEST || newPassword.length > PASSWORD_MAX_LENGTH) {
    faults.newPassword = "short";
  } else if (!ALLOWED.test(newPassword)) {
    faults.newPassword = "characters";
  }
  if (confirmPassword !== newPassword) faults.confirmPassword = "differs";
  return faults;
}

import { hasPasswordLength, PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";

export interface PasswordValues {
  /** Empty if an administrator sets the password. */
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
}

export type PasswordFault = "required" | "short" | "differs";

export const PASSWORD_SHORTEST = PASSWORD_MIN_LENGTH.change;

/** Check a new password and its repetition, and with `own` that the current one is given. */
export function passwordFaults(
  values: PasswordValues,
  own: boolean,
): Partial<Record<keyof PasswordValues, PasswordFault>> {
  const { currentPassword, newPassword, confirmPassword } = values;
  const faults: Partial<Record<keyof PasswordValues, PasswordFault>> = {};
  if (own && currentPassword === "") faults.currentPassword = "required";
  if (!hasPasswordLength(newPassword, PASSWORD_SHORTEST)) faults.newPassword = "short";
  if (confirmPassword !== newPassword) faults.confirmPassword = "differs";
  return faults;
}

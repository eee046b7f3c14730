import type { UserType } from "@mulkko/shared/entities/account";
import { PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";
import type { FieldErrors } from "../../http/api-error.ts";
import { passwordFault } from "../account/rules.ts";

/** The part of an account that makes it an administrator who can act. */
export interface Standing {
  readonly userType: UserType;
  readonly disabled: boolean;
}

const isActing = ({ userType, disabled }: Standing): boolean => userType === "ADMIN" && !disabled;

/**
 * Whether a change would leave nobody to administer.
 *
 * @param after null where the account goes
 * @param acting how many administrators there are that are not disabled, this one among them
 */
export const leavesNoAdmin = (before: Standing, after: Standing | null, acting: number): boolean =>
  isActing(before) && !(after && isActing(after)) && acting <= 1;

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

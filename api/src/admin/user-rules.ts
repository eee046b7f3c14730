import type { UserType } from "@mulkko/shared/entities/account";

/** The fields that make an account an active administrator. */
export interface UserRole {
  readonly userType: UserType;
  readonly disabled: boolean;
}

const isActing = ({ userType, disabled }: UserRole): boolean => userType === "ADMIN" && !disabled;

/**
 * Return true if a change would leave no active administrator.
 *
 * @param after null where the account is deleted
 * @param acting number of administrators that are not disabled, including this one
 */
export const leavesNoAdmin = (before: UserRole, after: UserRole | null, acting: number): boolean =>
  isActing(before) && !(after && isActing(after)) && acting <= 1;

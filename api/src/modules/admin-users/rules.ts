import type { UserType } from "@mulkko/shared/entities/account";

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

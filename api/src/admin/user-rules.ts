import type { UserType } from "@mulkko/shared/entities/account";
import { DatabaseError, type Queryable, UNIQUE_VIOLATION } from "../database/database.ts";
import { ApiError } from "../http/api-error.ts";

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

/**
 * Await a write to an account. A taken user name becomes the answer 409, or `in-trash` where a deleted
 * account has it.
 */
export async function refusingTakenName<T>(
  database: Queryable,
  username: string,
  written: Promise<T>,
): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) {
      const trashed = await database.query(
        "select 1 from account where lower(username) = lower($1) and deleted_at is not null limit 1",
        [username],
      );
      if (trashed.length === 0) {
        throw new ApiError(409, "conflict", "The user name is already taken.", { field: "username" });
      }
      throw new ApiError(409, "in-trash", "A user in the trash has this user name.", {
        field: "username",
      });
    }
    throw error;
  }
}

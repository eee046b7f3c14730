import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { roleOf } from "./user-values.ts";

/** Count the devices deleted with these accounts; null if the farm API does not report them. */
export function devicesOf(users: Iterable<UserEntry>): number | null {
  let devices = 0;
  for (const { deviceCount } of users) {
    if (deviceCount === undefined) return null;
    devices += deviceCount;
  }
  return devices;
}

/** Filters of the list. */
export const NARROWING = { userType: roleOf } as const;

/** Return the texts that a search looks at if the farm API cannot search. */
export const searchedColumns = (user: UserEntry): readonly unknown[] => [
  user.username,
  user.nickname,
  user.userAddress,
  user.farmAddress,
  user.phone,
];

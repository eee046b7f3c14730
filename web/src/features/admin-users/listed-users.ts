import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { standingOf } from "./user-values.ts";

/** How many devices go along with these accounts; null where the farm API does not say. */
export function devicesOf(users: Iterable<UserEntry>): number | null {
  let devices = 0;
  for (const { deviceCount } of users) {
    if (deviceCount === undefined) return null;
    devices += deviceCount;
  }
  return devices;
}

/** What the list is narrowed down by. */
export const NARROWING = { userType: standingOf } as const;

/** What a search looks into where the farm API does not search by itself. */
export const searchedColumns = (user: UserEntry): readonly unknown[] => [
  user.username,
  user.nickname,
  user.userAddress,
  user.farmAddress,
  user.phone,
];

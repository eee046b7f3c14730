import { expect, test } from "vitest";
import { leavesNoAdmin, type UserRole } from "./user-rules.ts";

const admin: UserRole = { userType: "ADMIN", disabled: false };
const user: UserRole = { userType: "USER", disabled: false };
const off: UserRole = { userType: "ADMIN", disabled: true };

test.each<[string, UserRole, UserRole | null, number, boolean]>([
  ["the last one goes", admin, null, 1, true],
  ["the last one is demoted", admin, user, 1, true],
  ["the last one is disabled", admin, off, 1, true],
  ["the last one stays", admin, admin, 1, false],
  ["one of two goes", admin, null, 2, false],
  ["a disabled one goes", off, null, 1, false],
  ["a farmer goes", user, null, 1, false],
])("[admin] %s: is no administrator left? %o → %o of %i", (_case, before, after, acting, expected) => {
  expect(leavesNoAdmin(before, after, acting)).toBe(expected);
});

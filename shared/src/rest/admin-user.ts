import { type Static, Type } from "typebox";
import { Account } from "../entities/account.ts";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";
import { ProfileFields } from "./account.ts";
import { SearchQuery } from "./paging.ts";

/** An account in an administrator's list. */
export const AdminUser = Type.Object({
  id: Id,
  username: Type.String(),
  nickname: Type.String(),
  userType: Type.Union([Type.Literal("ADMIN"), Type.Literal("USER")]),
  userAddress: Type.String(),
  farmAddress: Type.String(),
  phone: Type.String(),
  language: Type.String(),
  timezone: Type.String(),
  emailNotification: Type.Boolean(),
  imagePath: Nullable(Type.String()),
  disabled: Type.Boolean(),
  createdDate: Type.String(),
  /** Number of sensors and controllers, which are deleted with the account. */
  deviceCount: Type.Integer(),
  /** Changes with each editable field. */
  version: Type.String(),
});
export type AdminUser = Static<typeof AdminUser>;

/**
 * An account as any farm API returns it to administrators; fields beyond the plain contract may be missing.
 */
export const UserEntry = Type.Object({
  ...Account.properties,
  disabled: Type.Optional(Type.Boolean()),
  createdDate: Type.Optional(Type.String()),
  deviceCount: Type.Optional(Type.Integer()),
  version: Type.Optional(Type.String()),
});
export type UserEntry = Static<typeof UserEntry>;

// Rules about lengths have error texts of their own; these limits only bound the input.
const Username = Type.String({ maxLength: 64 });
const Password = Type.String({ maxLength: 128 });
const Role = Type.Union([Type.Literal("ADMIN"), Type.Literal("USER")]);

/** Query of the account list: a page of the accounts that contain a text, optionally of one type. */
export const UserQuery = Type.Object({ ...SearchQuery.properties, userType: Type.Optional(Role) });
export type UserQuery = Static<typeof UserQuery>;

/** Body of `POST /api/v1/admin/user/register`. */
export const UserRegisterBody = Type.Object({
  username: Username,
  password: Password,
  ...ProfileFields,
  userType: Type.Optional(Role),
});
export type UserRegisterBody = Static<typeof UserRegisterBody>;

/** Body of `PUT /api/v1/admin/user/update/{id}`; an absent field stays. */
export const UserUpdateBody = Type.Object({
  username: Type.Optional(Username),
  ...ProfileFields,
  userType: Type.Optional(Role),
  /** A disabled account can neither sign in nor continue its sessions. */
  disabled: Type.Optional(Type.Boolean()),
});
export type UserUpdateBody = Static<typeof UserUpdateBody>;

/** Body of `PUT /api/v1/admin/user/changepassword/{id}`. */
export const ChangePasswordBody = Type.Object({ newPassword: Password, confirmPassword: Password });

/** A deleted account that can still be restored (extension `trash`). */
export const TrashedUser = Type.Object({
  id: Id,
  username: Type.String(),
  nickname: Type.String(),
  deviceCount: Type.Integer(),
  deletedDate: Type.String(),
  /** Time of its final deletion. */
  purgeDate: Type.String(),
});
export type TrashedUser = Static<typeof TrashedUser>;

import { type Static, Type } from "typebox";
import { Account } from "../entities/account.ts";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";
import { ProfileFields } from "./account.ts";
import { SearchQuery } from "./paging.ts";

/** An account as administrators see it. */
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
  /** Sensors and controllers, which go with the account when it is deleted. */
  deviceCount: Type.Integer(),
  /** Changes with each field that people write. */
  version: Type.String(),
});
export type AdminUser = Static<typeof AdminUser>;

/** An account as any farm API tells administrators of it; what lies beyond the plain contract may be missing. */
export const UserEntry = Type.Object({
  ...Account.properties,
  disabled: Type.Optional(Type.Boolean()),
  createdDate: Type.Optional(Type.String()),
  deviceCount: Type.Optional(Type.Integer()),
  version: Type.Optional(Type.String()),
});
export type UserEntry = Static<typeof UserEntry>;

// Rules about lengths have sentences of their own; these limits only keep nonsense out.
const Username = Type.String({ maxLength: 64 });
const Password = Type.String({ maxLength: 128 });
const Role = Type.Union([Type.Literal("ADMIN"), Type.Literal("USER")]);

/** Which accounts are listed: a page of those that hold a text, of one type alone. */
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

/** Body of `PUT /api/v1/admin/user/update/{id}`; what is left out stays. */
export const UserUpdateBody = Type.Object({
  username: Type.Optional(Username),
  ...ProfileFields,
  userType: Type.Optional(Role),
  /** A disabled account can neither sign in nor go on. */
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
  /** When it is deleted for ever. */
  purgeDate: Type.String(),
});
export type TrashedUser = Static<typeof TrashedUser>;

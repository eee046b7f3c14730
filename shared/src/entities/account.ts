import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";

const Text = Type.Optional(Nullable(Type.String()));

/** An account as `GET /api/account/info` returns it. */
export const Account = Type.Object({
  id: Id,
  username: Type.String(),
  nickname: Text,
  userAddress: Text,
  farmAddress: Text,
  phone: Text,
  timezone: Text,
  imagePath: Text,
  /** ADMIN or USER; an unknown value counts as USER. */
  userType: Text,
  language: Text,
  emailNotification: Type.Optional(Nullable(Type.Boolean())),
  /** Extension `versions`: changes with each field that the account's owner may change. */
  version: Text,
  /** True for an administrator who is the installation's only account (FIRST-1); a plain API omits it. */
  onlyAccount: Type.Optional(Nullable(Type.Boolean())),
});
export type Account = Static<typeof Account>;

/** Role of an account; any value other than `ADMIN` is a `USER`. */
export type UserType = "ADMIN" | "USER";

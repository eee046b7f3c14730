import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";

const Text = Type.Optional(Nullable(Type.String()));

/** An account as `GET /api/account/info` gives it. */
export const Account = Type.Object({
  id: Id,
  username: Type.String(),
  nickname: Text,
  userAddress: Text,
  farmAddress: Text,
  phone: Text,
  timezone: Text,
  imagePath: Text,
  /** ADMIN or USER; a value nobody knows counts as USER. */
  userType: Text,
  language: Text,
  emailNotification: Type.Optional(Nullable(Type.Boolean())),
});
export type Account = Static<typeof Account>;

/** The role of an account; whatever is not exactly `ADMIN` is a `USER`. */
export type UserType = "ADMIN" | "USER";

import { type Static, Type } from "typebox";
import { ACCOUNT_LENGTHS } from "./account.ts";

/** Accounts of the demo farm that have the demo's password, named on the login page. */
export const DemoAccounts = Type.Object({
  usernames: Type.Array(Type.String()),
  /** Absent where others than the server's own machine reach the demo: its password is then printed at the start only. */
  password: Type.Optional(Type.String()),
  /** True once there is a device that is not the demo's. */
  ownDevices: Type.Optional(Type.Boolean()),
});
export type DemoAccounts = Static<typeof DemoAccounts>;

/** Answer of `GET /api/v1/setup`: `needed` until an empty farm has its first administrator. */
export const SetupState = Type.Object({
  needed: Type.Boolean(),
  /** Absent without a bundled demo farm. */
  demo: Type.Optional(DemoAccounts),
});
export type SetupState = Static<typeof SetupState>;

/** Body of `POST /api/v1/setup`; `code` is printed by the API at its start. */
export const SetupBody = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 64 }),
  username: Type.String({ maxLength: 64 }),
  password: Type.String({ maxLength: 128 }),
  nickname: Type.String({ minLength: 1, maxLength: 64 }),
  /** E-mail address for the recovery of a lost password. */
  userAddress: Type.String({ maxLength: ACCOUNT_LENGTHS.address }),
  /** Language of mails; KO, EN or ZH in any case. */
  language: Type.Optional(Type.String({ maxLength: ACCOUNT_LENGTHS.language })),
});
export type SetupBody = Static<typeof SetupBody>;

import { type Static, Type } from "typebox";
import { ACCOUNT_LENGTHS } from "./account.ts";

/** Accounts of the demo farm, for the login page to name. Their password opens nothing outside the demo. */
export const DemoAccounts = Type.Object({ usernames: Type.Array(Type.String()), password: Type.String() });
export type DemoAccounts = Static<typeof DemoAccounts>;

/** Answer of `GET /api/v1/setup`: `needed` while an empty farm waits for its first administrator. */
export const SetupState = Type.Object({
  needed: Type.Boolean(),
  /** Left out where no demo farm is bundled. */
  demo: Type.Optional(DemoAccounts),
});
export type SetupState = Static<typeof SetupState>;

/** Body of `POST /api/v1/setup`; `code` is the one that the API printed at its start. */
export const SetupBody = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 64 }),
  username: Type.String({ maxLength: 64 }),
  password: Type.String({ maxLength: 128 }),
  nickname: Type.String({ minLength: 1, maxLength: 64 }),
  /** The e-mail address: a lost password is recovered by it. */
  userAddress: Type.String({ maxLength: ACCOUNT_LENGTHS.address }),
  /** Of mails; KO, EN or ZH in any case. */
  language: Type.Optional(Type.String({ maxLength: ACCOUNT_LENGTHS.language })),
});
export type SetupBody = Static<typeof SetupBody>;

import { type Static, Type } from "typebox";
import { ACCOUNT_LENGTHS } from "./account.ts";

/** Answer of `GET /api/v1/setup`: whether an empty farm waits for its first administrator. */
export const SetupState = Type.Object({ needed: Type.Boolean() });

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

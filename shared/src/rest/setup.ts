import { type Static, Type } from "typebox";

/** Answer of `GET /api/v1/setup`: whether an empty farm waits for its first administrator. */
export const SetupState = Type.Object({ needed: Type.Boolean() });

/** Body of `POST /api/v1/setup`; `code` is the one that the API printed at its start. */
export const SetupBody = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 64 }),
  username: Type.String({ maxLength: 64 }),
  password: Type.String({ maxLength: 128 }),
  nickname: Type.String({ minLength: 1, maxLength: 64 }),
});
export type SetupBody = Static<typeof SetupBody>;

import { type Static, Type } from "typebox";

/** Answer of `GET /relay/config`, which needs no token. */
export const RelayConfig = Type.Object({
  apiTimezone: Type.String(),
  extensions: Type.Array(Type.String()),
  build: Type.String(),
});
export type RelayConfig = Static<typeof RelayConfig>;

import { type Static, Type } from "typebox";
import { Nullable } from "../schema/nullable.ts";

/** Answer of `GET /relay/config`, which needs no token. */
export const RelayConfig = Type.Object({
  apiTimezone: Type.String(),
  extensions: Type.Array(Type.String()),
  build: Type.String(),
  /** Style of the installation's own map, which replaces the embedded one; null or absent: none. */
  mapStyleUrl: Type.Optional(Nullable(Type.String())),
});
export type RelayConfig = Static<typeof RelayConfig>;

import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";

/** Answer of `GET /relay/odd-fields`: deviations of the farm API from the contract, the newest first. */
export const OddFields = Type.Object({
  odd: Type.Array(
    Type.Object({
      /** The list or answer, e.g. `sensors`, `controllers`, `refresh`. */
      unit: Type.String(),
      /** Dotted name of the omitted field; "" for a whole row. */
      field: Type.String(),
      /** Ids of the rows, at most 20. */
      rows: Type.Array(Type.String()),
      /** Count since the start of the relay. */
      count: Type.Integer(),
      lastAt: Instant,
    }),
  ),
});
export type OddFields = Static<typeof OddFields>;

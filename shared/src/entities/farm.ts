import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";
import { Sensor } from "./sensor.ts";

/** A farm ("cluster" on the wire) with its devices, as `GET /api/v1/cluster/list` gives it. */
export const Farm = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.Optional(Nullable(Type.String())),
  /** When it was made, on the API's clocks; many APIs do not say. */
  createdDate: Type.Optional(Nullable(Type.String())),
  sensors: Type.Optional(Nullable(Type.Array(Sensor))),
});
export type Farm = Static<typeof Farm>;

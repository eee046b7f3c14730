import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";
import { Sensor } from "./sensor.ts";

/** A farm ("cluster" on the wire) with its devices, as `GET /api/v1/cluster/list` returns it. */
export const Farm = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.Optional(Nullable(Type.String())),
  /** Time of creation, on the API's clock; absent in many APIs. */
  createdDate: Type.Optional(Nullable(Type.String())),
  /** Extension `versions`: changes with name and description. */
  version: Type.Optional(Nullable(Type.String())),
  sensors: Type.Optional(Nullable(Type.Array(Sensor))),
});
export type Farm = Static<typeof Farm>;

import Type from "typebox";
import { Farm } from "../../entities/farm.ts";
import { FarmAddBody, FarmUpdateBody } from "../farm.ts";
import type { Operation } from "./operation.ts";

export const clusterList = {
  methods: ["GET"],
  path: "/api/v1/cluster/list",
  answer: Type.Array(Farm),
  readableAs: true,
} as const satisfies Operation;

export const clusterAdd = {
  methods: ["POST"],
  path: "/api/v1/cluster/add",
  body: FarmAddBody,
  answer: Farm,
  changes: ["farm", "sensor"],
} as const satisfies Operation;

export const clusterUpdate = {
  methods: ["PUT", "POST"],
  path: "/api/v1/cluster/update/:id",
  body: FarmUpdateBody,
  answer: Farm,
  changes: ["farm", "sensor"],
} as const satisfies Operation;

/** Delete a farm; its devices stay, without one. */
export const clusterDelete = {
  methods: ["POST", "DELETE"],
  path: "/api/v1/cluster/delete/:id",
  answer: null,
  changes: ["farm", "sensor"],
} as const satisfies Operation;

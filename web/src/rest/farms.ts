import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

type Id = string | number;

/** A new farm; its sensors leave the farm that they are on. */
export interface NewFarm {
  readonly name: string;
  readonly description: string;
  readonly sensors: readonly string[];
}

/** @throws ApiError 409 there is a farm of that name */
export async function addFarm(rest: RestClient, farm: NewFarm): Promise<void> {
  const form = { ...farm, sensors: farm.sensors.length === 0 ? undefined : farm.sensors };
  await rest.call({ method: "POST", path: apiPath.clusterAdd, answer: Type.Unknown(), form });
}

/** Renames a farm; an API of the plain contract knows no description. @throws ApiError 409 the name is taken */
export async function updateFarm(
  rest: RestClient,
  id: Id,
  form: { readonly name: string; readonly description?: string },
): Promise<void> {
  await rest.call({ method: "PUT", path: apiPath.clusterUpdate(id), answer: Type.Unknown(), form });
}

/** Its sensors stay, without a farm. */
export async function deleteFarm(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "POST", path: apiPath.clusterDelete(id), answer: Type.Unknown() });
}

import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";
import { ifMatch } from "./http.ts";

type Id = string | number;

/** A new farm; its sensors leave their current farm. */
export interface NewFarm {
  readonly name: string;
  readonly description: string;
  readonly sensors: readonly string[];
}

/** @throws ApiError 409 the name is taken */
export async function addFarm(rest: RestClient, farm: NewFarm): Promise<void> {
  const form = { ...farm, sensors: farm.sensors.length === 0 ? undefined : farm.sensors };
  await rest.call({ method: "POST", path: apiPath.clusterAdd, answer: Type.Unknown(), form });
}

/**
 * Rename a farm; an API of the plain contract has no description.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 409 the name is taken, 412 it was changed meanwhile
 */
export async function updateFarm(
  rest: RestClient,
  id: Id,
  form: { readonly name: string; readonly description?: string },
  version?: string | null,
): Promise<void> {
  const path = apiPath.clusterUpdate(id);
  await rest.call({ method: "PUT", path, answer: Type.Unknown(), form, headers: ifMatch(version) });
}

/** Delete a farm; its sensors stay, without a farm. */
export async function deleteFarm(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "POST", path: apiPath.clusterDelete(id), answer: Type.Unknown() });
}

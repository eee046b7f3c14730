import { clusterAdd, clusterDelete, clusterUpdate } from "@mulkko/shared/rest/operations/farms";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import { type Id, type RestClient, send } from "./client.ts";
import { ifMatch } from "./http.ts";

/** A new farm; its sensors leave their current farm. */
export interface NewFarm {
  readonly name: string;
  readonly description: string;
  readonly sensors: readonly string[];
}

/** @throws ApiError 409 the name is taken */
export function addFarm(rest: RestClient, farm: NewFarm) {
  const form = { ...farm, sensors: farm.sensors.length === 0 ? undefined : farm.sensors };
  return send(rest, { ...callOf(clusterAdd, {}), form });
}

/**
 * Rename a farm; an API of the plain contract has no description.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 409 the name is taken, 412 it was changed meanwhile
 */
export const updateFarm = (
  rest: RestClient,
  id: Id,
  form: { readonly name: string; readonly description?: string },
  version?: string | null,
) => send(rest, { ...callOf(clusterUpdate, { id }), form, headers: ifMatch(version) });

/** Delete a farm; its sensors stay, without a farm. */
export const deleteFarm = (rest: RestClient, id: Id) => send(rest, { ...callOf(clusterDelete, { id }) });

import { clusterAdd, clusterDelete, clusterList, clusterUpdate } from "@mulkko/shared/rest/operations/farms";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import { Type } from "typebox";
import { type Id, type RestClient, send } from "./client.ts";
import { ifMatch, onceHeader } from "./http.ts";

/** A new farm; its sensors leave their current farm. */
export interface NewFarm {
  readonly name: string;
  readonly description: string;
  readonly sensors: readonly string[];
}

/**
 * Add a farm.
 *
 * @param key a repeated call with it adds nothing twice (extension `idempotent-create`)
 * @throws ApiError 409 the name is taken
 */
export function addFarm(rest: RestClient, farm: NewFarm, key: string) {
  const form = { ...farm, sensors: farm.sensors.length === 0 ? undefined : farm.sensors };
  return send(rest, { ...callOf(clusterAdd, {}), form, headers: onceHeader(key) });
}

const Named = Type.Array(Type.Object({ name: Type.String() }));

/** Return true if the account has a farm of this name. */
export async function hasFarm(rest: RestClient, name: string): Promise<boolean> {
  const farms = await rest.call({ ...callOf(clusterList, {}), answer: Named });
  return farms.some((farm) => farm.name === name);
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

import { Sensor } from "@mulkko/shared/entities/sensor";
import { AdminCluster } from "@mulkko/shared/rest/admin";
import {
  adminClusters,
  adminSensorAdd,
  adminSensorDelete,
  adminSensors,
  adminSensorUpdate,
  adminUsers,
} from "@mulkko/shared/rest/operations/admin";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import { MAX_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { Id as AnyId } from "@mulkko/shared/schema/id";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";
import { searchFor } from "../i18n/search.ts";
import { get, type Id, type RestClient, send } from "./client.ts";
import { closingFirst, type OverValve } from "./closing-first.ts";
import { type FormFields, ifMatch } from "./http.ts";
import { fetchListed } from "./listed.ts";
import { sendNewSensor } from "./sensors.ts";

/** A sensor of any account; an API of the plain contract does not name its owner. */
export const OwnedSensor = Type.Object({
  ...Sensor.properties,
  username: Type.Optional(Nullable(Type.String())),
});
export type OwnedSensor = Static<typeof OwnedSensor>;

/** The sensors of all accounts. */
export const ALL_SENSORS = { path: adminSensors.path, row: OwnedSensor } as const;

/** An account for which a sensor can be registered. */
const Owner = Type.Object({
  id: AnyId,
  username: Type.String(),
  nickname: Type.Optional(Nullable(Type.String())),
});
export type Owner = Static<typeof Owner>;

const OWNERS = { path: adminUsers.path, row: Owner } as const;

/** Maximum number of proposed accounts. */
const PROPOSED = 20;

/** Fetch one sensor; null if there is none with that id. A plain API only offers the whole list. */
export async function fetchAnySensor(
  rest: RestClient,
  id: string,
  signal: AbortSignal,
): Promise<OwnedSensor | null> {
  const query = { page: 1, size: PROPOSED, text: id, sort: null };
  const { rows } = await fetchListed(rest, ALL_SENSORS, query, signal);
  return rows.find((sensor) => `${sensor.id}` === id) ?? null;
}

/** Return the sensors of an account, at most the first {@link MAX_PAGE_SIZE}. */
export async function fetchSensorsOf(
  rest: RestClient,
  { id, username }: { readonly id: string; readonly username: string },
  signal: AbortSignal,
): Promise<readonly OwnedSensor[]> {
  const query = { page: 1, size: MAX_PAGE_SIZE, text: username, sort: null };
  const { rows } = await fetchListed(rest, ALL_SENSORS, query, signal);
  return rows.filter(({ userId }) => `${userId}` === id);
}

/**
 * Register a sensor for an account.
 *
 * @returns its device key if the API creates one: it is returned only once
 * @throws ApiError 404 no such account, 409 the serial is taken, 422 with fields
 */
export const addSensorFor = (rest: RestClient, userId: Id, form: FormFields, key: string) =>
  sendNewSensor(rest, adminSensorAdd, { userId, ...form }, key);

/**
 * Change any account's sensor, including its serial.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 404 it was deleted, 409 the serial is taken, 412 it was changed meanwhile
 */
export const updateAnySensor = (rest: RestClient, form: FormFields, version?: string | null) =>
  send(rest, { ...callOf(adminSensorUpdate, {}), form, headers: ifMatch(version) });

/**
 * Delete any account's sensor and its measurements permanently.
 *
 * @throws ApiError 409 `valve-open` if it is a COT sensor whose valve is not reported closed (CMD-15)
 */
export const deleteAnySensor = (rest: RestClient, id: Id, over: OverValve = {}) =>
  send(rest, { ...callOf(adminSensorDelete, { id }), ...closingFirst(over) });

/** Find accounts whose name contains a text, by name. */
export async function findOwners(
  rest: RestClient,
  text: string,
  signal: AbortSignal,
): Promise<readonly Owner[]> {
  const sort = { key: "username", descending: false };
  const listed = await fetchListed(rest, OWNERS, { page: 1, size: PROPOSED, text, sort }, signal);
  if (listed.kind === "page") return listed.rows;
  const isWanted = searchFor(text);
  return listed.rows
    .filter(({ username, nickname }) => isWanted(username, nickname ?? ""))
    .slice(0, PROPOSED);
}

/** Fetch the farms of an account (extension `admin-clusters`). */
export function fetchFarmsOf(rest: RestClient, userId: Id, signal: AbortSignal) {
  const query = new URLSearchParams({ userId: `${userId}` });
  return get(rest, `${adminClusters.path}?${query}`, Type.Array(AdminCluster), signal);
}

import { ControllerState, modesOf } from "@mulkko/shared/entities/controller-state";
import { modesOn } from "@mulkko/shared/entities/modes";
import type { ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import {
  channelDelete,
  channelSensorRemove,
  channelState,
  controllerAdd,
  controllerDelete,
  controllerImage,
  controllerUpdate,
} from "@mulkko/shared/rest/operations/controllers";
import { callOf, pathTo } from "@mulkko/shared/rest/operations/operation";
import type { DeviceKey } from "@mulkko/shared/rest/sensor";
import { Id as AnyId } from "@mulkko/shared/schema/id";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { type Id, type RestClient, send } from "./client.ts";
import { closingFirst, type OverValve } from "./closing-first.ts";
import { ApiError } from "./errors.ts";
import { ifMatch, imagePathOf, onceHeader } from "./http.ts";
import type { Mode } from "./modes.ts";
import { deviceKeyOf } from "./sensors.ts";

const WithId = Type.Object({ id: AnyId });

/** Known fields of a controller just added; an API may return none. */
export interface AddedController {
  readonly id: string | null;
  /** Returned only once, if the API creates one (extension `devices`). */
  readonly key: DeviceKey | null;
}

/**
 * Add a controller.
 *
 * @throws ApiError 409 the serial is taken, 422 with fields
 */
export async function addController(
  rest: RestClient,
  body: ControllerAddBody,
  key: string,
): Promise<AddedController> {
  const answer = await rest.call({
    ...callOf(controllerAdd, {}),
    answer: Type.Unknown(),
    body,
    headers: onceHeader(key),
  });
  const found = parse(WithId, answer);
  return { id: found.ok ? `${found.value.id}` : null, key: deviceKeyOf(answer) };
}

/**
 * Change a controller. Listed channels get exactly these sensors; the others stay. The plain contract
 * requires the controller's id in the body and in each channel.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 412 it was changed meanwhile
 */
export function updateController(
  rest: RestClient,
  id: Id,
  body: ControllerUpdateBody,
  version?: string | null,
) {
  const controllerId = `${id}`;
  const channels = body.channels?.map((channel) => ({ ...channel, controllerId }));
  return send(rest, {
    ...callOf(controllerUpdate, { id }),
    headers: ifMatch(version),
    body: { ...body, controllerId, ...(channels === undefined ? {} : { channels }) },
  });
}

/**
 * Delete a controller and its channels permanently.
 *
 * @throws ApiError 409 `valve-open` if a valve is not reported closed (CMD-15)
 */
export const deleteController = (rest: RestClient, id: Id, over: OverValve = {}) =>
  send(rest, { ...callOf(controllerDelete, { id }), ...closingFirst(over) });

/** Set a controller's picture (extension `controller-image`). @returns its new path, if the API returns it */
export async function updateControllerImage(rest: RestClient, id: Id, file: Blob): Promise<string | null> {
  const answer = await rest.call({
    ...callOf(controllerImage, { id }),
    answer: Type.Unknown(),
    file: { name: "image", file },
  });
  return imagePathOf(answer);
}

/** Remove a channel from its controller. Errors as {@link deleteController}. */
export const deleteChannel = (rest: RestClient, channelId: Id, over: OverValve = {}) =>
  send(rest, { ...callOf(channelDelete, { channelId }), ...closingFirst(over) });

/** Remove a sensor, by its id or serial, from a channel. */
export const removeChannelSensor = (rest: RestClient, channelId: Id, sensor: Id) =>
  send(rest, { ...callOf(channelSensorRemove, { channelId, sensorId: sensor }) });

/** Fetch the modes that a channel currently reports as on; null if the farm API does not report them. */
export async function fetchModesOn(
  rest: RestClient,
  serial: Id,
  channelId: Id,
): Promise<readonly Mode[] | null> {
  try {
    const path = pathTo(channelState, { serial, channelId });
    const state = await rest.call({ method: "GET", path, answer: ControllerState });
    return modesOn(modesOf(state));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/**
 * Let the farm API request a channel's state from the controller; the state arrives over the live streams.
 */
export const refreshChannel = (rest: RestClient, serial: Id, channelId: Id) =>
  send(rest, { ...callOf(channelState, { serial, channelId }) });

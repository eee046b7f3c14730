import type { ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { DeviceKey } from "@mulkko/shared/rest/sensor";
import { Id as AnyId } from "@mulkko/shared/schema/id";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { ifMatch } from "./bodies.ts";
import type { RestClient } from "./client.ts";
import { deviceKeyOf } from "./device-key.ts";
import { imagePathOf } from "./image-answer.ts";

type Id = string | number;

const WithId = Type.Object({ id: AnyId });

/** What is known of a controller that has just been added; an API may answer nothing. */
export interface AddedController {
  readonly id: string | null;
  /** Said this once, where the API makes one (extension `devices`). */
  readonly key: DeviceKey | null;
}

/**
 * Adds a controller.
 *
 * @throws ApiError 409 the serial is taken, 422 with fields
 */
export async function addController(rest: RestClient, body: ControllerAddBody): Promise<AddedController> {
  const answer = await rest.call({ method: "POST", path: apiPath.controllers, answer: Type.Unknown(), body });
  const found = parse(WithId, answer);
  return { id: found.ok ? `${found.value.id}` : null, key: deviceKeyOf(answer) };
}

/**
 * Changes a controller: listed channels get exactly these sensors, those that are not listed stay. The plain
 * contract wants the controller's id in the body and in each channel as well.
 *
 * @param version the one that was read, where the API tells it
 * @throws ApiError 412 it was changed meanwhile
 */
export async function updateController(
  rest: RestClient,
  id: Id,
  body: ControllerUpdateBody,
  version?: string | null,
): Promise<void> {
  const controllerId = `${id}`;
  const channels = body.channels?.map((channel) => ({ ...channel, controllerId }));
  await rest.call({
    method: "PUT",
    path: apiPath.controller(id),
    answer: Type.Unknown(),
    headers: ifMatch(version),
    body: { ...body, controllerId, ...(channels === undefined ? {} : { channels }) },
  });
}

/** Takes a controller and its channels away for ever. */
export async function deleteController(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "DELETE", path: apiPath.controller(id), answer: Type.Unknown() });
}

/** Sets a controller's picture (extension `controller-image`). @returns its new path, as far as it is said */
export async function updateControllerImage(rest: RestClient, id: Id, file: Blob): Promise<string | null> {
  const answer = await rest.call({
    method: "PUT",
    path: apiPath.controllerImage(id),
    answer: Type.Unknown(),
    file: { name: "image", file },
  });
  return imagePathOf(answer);
}

/** Takes a channel off its controller. */
export async function deleteChannel(rest: RestClient, channelId: Id): Promise<void> {
  await rest.call({ method: "DELETE", path: apiPath.channel(channelId), answer: Type.Unknown() });
}

/** Takes a sensor, by its id or serial, off a channel. */
export async function removeChannelSensor(rest: RestClient, channelId: Id, sensor: Id): Promise<void> {
  const path = apiPath.channelSensor(channelId, sensor);
  await rest.call({ method: "DELETE", path, answer: Type.Unknown() });
}

/** Has the farm API ask the controller for the state of a channel, which then comes over the live streams. */
export async function refreshChannel(rest: RestClient, serial: Id, channelId: Id): Promise<void> {
  await rest.call({ method: "GET", path: apiPath.refreshState(serial, channelId), answer: Type.Unknown() });
}

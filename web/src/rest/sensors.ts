import { apiPath } from "@mulkko/shared/rest/routes";
import type { DeviceKey } from "@mulkko/shared/rest/sensor";
import { Type } from "typebox";
import { type FormFields, ifMatch } from "./bodies.ts";
import type { RestClient } from "./client.ts";
import { closingFirst, type OverValve } from "./closing-first.ts";
import { deviceKeyOf } from "./device-key.ts";
import { imagePathOf } from "./image-answer.ts";

type Id = string | number;

/**
 * Add a sensor by the fields of `SensorAddBody`.
 *
 * @returns its device key if the API creates one: it is returned only once
 * @throws ApiError 409 the serial is taken, 422 with fields
 */
export async function addSensor(rest: RestClient, form: FormFields): Promise<DeviceKey | null> {
  const answer = await rest.call({
    method: "POST",
    path: apiPath.sensorAdd,
    answer: Type.Unknown(),
    form,
  });
  return deviceKeyOf(answer);
}

/**
 * Change a sensor by the fields of `SensorUpdateBody`, of which the device type is required.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 412 it was changed meanwhile
 */
export async function updateSensor(
  rest: RestClient,
  id: Id,
  form: FormFields,
  version?: string | null,
): Promise<void> {
  const path = apiPath.sensorUpdate(id);
  await rest.call({ method: "PUT", path, answer: Type.Unknown(), form, headers: ifMatch(version) });
}

/** Set a sensor's picture. @returns its new path; null if the API does not return it */
export async function updateSensorImage(rest: RestClient, id: Id, file: Blob): Promise<string | null> {
  const answer = await rest.call({
    method: "PUT",
    path: apiPath.sensorImage(id),
    answer: Type.Unknown(),
    file: { name: "image", file },
  });
  return imagePathOf(answer);
}

/**
 * Delete a sensor and its measurements permanently.
 *
 * @throws ApiError 409 `valve-open` if it is a COT sensor whose valve is not reported closed (CMD-15)
 */
export async function deleteSensor(rest: RestClient, id: Id, over: OverValve = {}): Promise<void> {
  const path = apiPath.sensorDelete(id);
  await rest.call({ method: "DELETE", path, answer: Type.Unknown(), ...closingFirst(over) });
}

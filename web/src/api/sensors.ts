import { DeadLetterReport } from "@mulkko/shared/rest/dead-letter";
import { DeviceProfile } from "@mulkko/shared/rest/device-profile";
import type { adminSensorAdd, adminSensors } from "@mulkko/shared/rest/operations/admin";
import type { controllerList } from "@mulkko/shared/rest/operations/controllers";
import { deadLetters, deviceKeyRenew, deviceProfiles } from "@mulkko/shared/rest/operations/devices";
import { callOf, pathTo } from "@mulkko/shared/rest/operations/operation";
import {
  sensorAdd,
  sensorDelete,
  sensorImage,
  type sensorList,
  sensorUpdate,
} from "@mulkko/shared/rest/operations/sensors";
import { DeviceBroker, type DeviceKey } from "@mulkko/shared/rest/sensor";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { get, type Id, type RestClient, send } from "./client.ts";
import { closingFirst, type OverValve } from "./closing-first.ts";
import { type FormFields, ifMatch, imagePathOf, onceHeader } from "./http.ts";

/**
 * Add a sensor by the fields of `SensorAddBody`.
 *
 * @param key a repeated call with it registers nothing twice, and its answer has the device key again
 * (extension `idempotent-create`)
 * @returns its device key if the API creates one: otherwise it is returned only once
 * @throws ApiError 409 the serial is taken, 422 with fields
 */
export const addSensor = (rest: RestClient, form: FormFields, key: string) =>
  sendNewSensor(rest, sensorAdd, form, key);

/** Send a new sensor as {@link addSensor} does, also as an administrator. */
export const sendNewSensor = async (
  rest: RestClient,
  operation: typeof sensorAdd | typeof adminSensorAdd,
  form: FormFields,
  key: string,
) =>
  deviceKeyOf(
    await rest.call({
      ...callOf(operation, {}),
      answer: Type.Unknown(),
      form,
      headers: onceHeader(key),
    }),
  );

const Serials = Type.Array(Type.Object({ serial: Type.Unknown() }));

/** A list in which a registered device appears. */
export type DeviceList = typeof sensorList | typeof adminSensors | typeof controllerList;

/** Return true if a list of devices has this serial. */
export async function hasSerial(rest: RestClient, list: DeviceList, serial: string): Promise<boolean> {
  const devices = await rest.call({ ...callOf(list, {}), answer: Serials });
  return devices.some((device) => `${device.serial}` === serial);
}

/**
 * Change a sensor by the fields of `SensorUpdateBody`, of which the device type is required.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 412 it was changed meanwhile
 */
export const updateSensor = (rest: RestClient, id: Id, form: FormFields, version?: string | null) =>
  send(rest, { ...callOf(sensorUpdate, { id }), form, headers: ifMatch(version) });

/** Set a sensor's picture. @returns its new path; null if the API does not return it */
export async function updateSensorImage(rest: RestClient, id: Id, file: Blob): Promise<string | null> {
  const answer = await rest.call({
    ...callOf(sensorImage, { id }),
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
export const deleteSensor = (rest: RestClient, id: Id, over: OverValve = {}) =>
  send(rest, { ...callOf(sensorDelete, { id }), ...closingFirst(over) });

/** Fetch a device's recent messages that were not understood (extension `dead-letters`). */
export const fetchDeadLetters = (rest: RestClient, deviceId: string, signal: AbortSignal) =>
  get(rest, pathTo(deadLetters, { id: deviceId }), DeadLetterReport, signal);

/** The key alone: an unreadable broker must not lose the key, which is shown only once. */
const KeyAlone = Type.Object({ deviceKey: Type.String({ minLength: 1 }) });
const BrokerAlone = Type.Object({ mqtt: DeviceBroker });

function withBroker(deviceKey: string, answer: unknown): DeviceKey {
  const named = parse(BrokerAlone, answer);
  return named.ok ? { deviceKey, mqtt: named.value.mqtt } : { deviceKey };
}

/** Return the key from the answer that created a device (extension `devices`); null if the API gives none. */
export function deviceKeyOf(answer: unknown): DeviceKey | null {
  const made = parse(KeyAlone, answer);
  return made.ok ? withBroker(made.value.deviceKey, answer) : null;
}

/**
 * Create a new key for a sensor or controller; the old one is refused from then on (extension `devices`).
 *
 * @param key a repeated call with the same one returns the same device key (CMD-20)
 */
export async function renewDeviceKey(rest: RestClient, id: Id, key: string): Promise<DeviceKey> {
  const Answer = Type.Object({ ...KeyAlone.properties, mqtt: Type.Optional(Type.Unknown()) });
  const answer = await rest.call({
    ...callOf(deviceKeyRenew, { id }),
    answer: Answer,
    headers: onceHeader(key),
  });
  return withBroker(answer.deviceKey, answer);
}

/** Fetch the decoders available for LoRaWAN devices (extension `devices`). */
export const fetchDeviceProfiles = (rest: RestClient, signal: AbortSignal) =>
  get(rest, deviceProfiles.path, Type.Array(DeviceProfile), signal);

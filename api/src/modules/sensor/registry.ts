import { randomUUID } from "node:crypto";
import { takesSensorType } from "@mulkko/shared/catalogue/controller-types";
import type { SensorAddBody, SensorUpdateBody } from "@mulkko/shared/rest/sensor";
import { hashSecret, newDeviceKey } from "../../devices/device-key.ts";
import type { KnownDevice } from "../../devices/directory.ts";
import { deleteDevice, insertDevice, profileOf, textOrNull, updateDevice } from "../../devices/enrol.ts";
import { ApiError } from "../../http/api-error.ts";
import type { App } from "../../http/server.ts";
import { farmOfAccount } from "../cluster/repository.ts";
import type { Witness } from "../device/witness.ts";
import { controllersOfSensor, lockSensor, saveSensor } from "./repository.ts";
import { sensorFieldsOf, serialNumberOf } from "./rules.ts";
import { thinOutSensor } from "./thin-out.ts";

type Parts = Pick<App, "database" | "directory" | "ingest" | "broker" | "delivery" | "profiles">;

/**
 * Registers a sensor.
 *
 * @param now ms since 1970 UTC
 * @returns its id, and its key, which is not stored
 * @throws ApiError 422 for what breaks a rule, 409 for a serial or external id in use, 404 for another's farm
 */
export async function addSensor(
  { database, directory, ingest, profiles }: Parts,
  accountId: string,
  body: SensorAddBody,
  now: number,
): Promise<{ id: string; deviceKey: string }> {
  const fields = sensorFieldsOf(body);
  const serial = serialNumberOf(body.serial);
  const externalId = textOrNull(body.externalId);
  const profile = profileOf(body.profile, profiles);
  const [id, deviceKey] = [randomUUID(), newDeviceKey()];
  const keyHash = hashSecret(deviceKey);
  await database.transaction(async (tx) => {
    const clusterId = await farmOfAccount(tx, accountId, body.clusterId ?? null);
    await insertDevice(tx, { id, serial, kind: "sensor", accountId, keyHash, externalId, profile }, now);
    await saveSensor(tx, id, { ...fields, clusterId });
  });
  await directory.reload(id);
  ingest.outputs.changed(accountId, "sensor", id);
  return { id, deviceKey };
}

/**
 * Changes a sensor; what the body leaves out stays as it was.
 *
 * @param mayRenumber whether its serial may change; otherwise it is locked
 * @param witness goes around the change in its transaction
 * @throws ApiError as {@link addSensor}; 404 also for a sensor that has gone meanwhile
 */
export async function changeSensor(
  { database, directory, ingest, broker, profiles }: Parts,
  device: KnownDevice,
  body: SensorUpdateBody,
  mayRenumber: boolean,
  witness: Witness,
): Promise<void> {
  const { id, accountId } = device;
  const serial = body.serial === undefined ? device.serial : serialNumberOf(body.serial);
  if (serial !== device.serial && !mayRenumber) {
    throw new ApiError(422, "validation", "the serial of a sensor is locked", { field: "serial" });
  }
  await database.transaction(async (tx) => {
    const before = await lockSensor(tx, id);
    const fields = sensorFieldsOf(body, before);
    if (fields.deviceType !== before.deviceType) {
      const controllers = await controllersOfSensor(tx, id);
      if (controllers.some(({ type }) => !takesSensorType(type, fields.deviceType))) {
        throw new ApiError(422, "validation", "it sits on a controller that does not take this device type", {
          field: "deviceType",
        });
      }
    }
    const clusterId =
      body.clusterId === undefined || body.clusterId === null
        ? before.clusterId
        : await farmOfAccount(tx, accountId, body.clusterId);
    await witness(tx, async () => {
      await updateDevice(tx, id, {
        serial,
        externalId: body.externalId === undefined ? before.externalId : textOrNull(body.externalId),
        profile: body.profile === undefined ? before.profile : profileOf(body.profile, profiles),
      });
      await saveSensor(tx, id, { ...fields, clusterId });
    });
  });
  await directory.reload(id);
  if (serial !== device.serial) broker.endSession(device.serial);
  ingest.outputs.changed(accountId, "sensor", id);
}

/** Deletes a sensor with its readings and its places on channels, closes its valves and ends its connection. */
export async function removeSensor(
  { database, directory, ingest, broker, delivery }: Parts,
  device: KnownDevice,
  witness: Witness,
): Promise<void> {
  const { id, serial, accountId, channels } = device;
  const controllers = await controllersOfSensor(database, id);
  await delivery.silence(
    device,
    channels.map(({ number }) => number),
  );
  await thinOutSensor(database, id);
  await database.transaction((tx) => witness(tx, () => deleteDevice(tx, id)));
  await directory.reload(id);
  broker.endSession(serial);
  ingest.outputs.changed(accountId, "sensor", id);
  for (const controller of controllers) ingest.outputs.changed(accountId, "controller", controller.id);
}

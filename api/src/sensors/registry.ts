import { randomUUID } from "node:crypto";
import { takesSensorType } from "@mulkko/shared/catalogue/controller-types";
import type { Sensor } from "@mulkko/shared/entities/sensor";
import type { SensorAddBody, SensorUpdateBody } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { hashSecret, newDeviceKey } from "../accounts/key.ts";
import type { Values } from "../audit/repository.ts";
import type { Database, Queryable } from "../database/database.ts";
import type { Audited, AuditRecorder, ReadAuditSnapshot } from "../devices/audit-recorder.ts";
import type { KnownDevice } from "../devices/device-index.ts";
import { deleteDevice, insertDevice, profileOf, textOrNull, updateDevice } from "../devices/enrol.ts";
import {
  controllersOfSensor,
  hasWidget,
  lockSensor,
  readSensor,
  saveSensor,
} from "../devices/sensor-repository.ts";
import { sensorFieldsOf, serialNumberOf } from "../devices/sensor-rules.ts";
import { farmOfAccount } from "../farms/repository.ts";
import { ApiError } from "../http/api-error.ts";
import type { App } from "../http/server.ts";

/** Rows deleted by one statement: others run between two. */
const SLICE = 20_000;

/**
 * Delete a sensor's readings except a last slice. The statement that deletes the sensor then does not block
 * the only connection of an embedded database for long.
 *
 * @param slice rows at a time
 */
export async function thinOutSensor(database: Database, sensorId: string, slice = SLICE): Promise<void> {
  for (let isMore = true; isMore; ) {
    const [gone] = await database.query<{ count: number }>(
      `with edge as (select at from reading where sensor_id = $1 order by at offset $2 limit 1),
         gone as (delete from reading using edge where sensor_id = $1 and reading.at < edge.at returning 1)
       select count(*) as count from gone`,
      [sensorId, slice],
      "history",
    );
    isMore = (gone?.count ?? 0) > 0;
  }
}

const valuesOf = (sensor: Sensor): Values => ({
  name: sensor.name ?? "",
  serial: Number(sensor.serial),
  deviceType: sensor.deviceType,
  description: sensor.description ?? "",
  latitude: sensor.latitude ?? 0,
  longitude: sensor.longitude ?? 0,
  clusterId: Number(sensor.clusterId ?? 0),
  chNums: sensor.chNums ?? 0,
  userId: String(sensor.userId ?? ""),
});

/** Return the audited values of a sensor. */
export const sensorSnapshot = (sensor: Sensor): Audited => ({
  name: sensor.name || String(sensor.serial),
  values: valuesOf(sensor),
});

export const readSensorSnapshot =
  (zone: ApiTimeZone): ReadAuditSnapshot =>
  async (tx, id) =>
    sensorSnapshot(await readSensor(tx, zone, id));

type Deps = Pick<App, "database" | "deviceIndex" | "ingest" | "broker" | "delivery" | "profiles">;

/**
 * Register a sensor. Runs in a transaction; {@link sensorAdded} follows it.
 *
 * @param now ms since 1970 UTC
 * @returns its id, and its key, which is not stored
 * @throws ApiError 422 for a broken rule, 409 for a serial or external id in use, 404 for another account's
 * farm
 */
export async function addSensor(
  tx: Queryable,
  { profiles }: Pick<Deps, "profiles">,
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
  const clusterId = await farmOfAccount(tx, accountId, body.clusterId ?? null);
  await insertDevice(tx, { id, serial, kind: "sensor", accountId, keyHash, externalId, profile }, now);
  // The first sensor appears on the home page without a setting.
  const widget = body.widget ?? !(await hasWidget(tx, accountId));
  await saveSensor(tx, id, { ...fields, widget, clusterId });
  return { id, deviceKey };
}

/** Follow a stored registration. */
export async function sensorAdded(
  { deviceIndex, ingest }: Pick<Deps, "deviceIndex" | "ingest">,
  accountId: string,
  id: string,
): Promise<void> {
  await deviceIndex.reload(id);
  ingest.outputs.changed(accountId, "sensor", id);
}

/**
 * Change a sensor; missing values stay unchanged.
 *
 * @param mayRenumber true where its serial may change; otherwise it is locked
 * @param auditRecorder runs the change in its transaction
 * @throws ApiError as {@link addSensor}; 404 also for a sensor deleted meanwhile
 */
export async function changeSensor(
  { database, deviceIndex, ingest, broker, profiles }: Deps,
  device: KnownDevice,
  body: SensorUpdateBody,
  mayRenumber: boolean,
  auditRecorder: AuditRecorder,
): Promise<void> {
  const { id, accountId } = device;
  const serial = body.serial === undefined ? device.serial : serialNumberOf(body.serial);
  if (serial !== device.serial && !mayRenumber) {
    throw new ApiError(422, "validation", "the serial of a sensor cannot be changed", { field: "serial" });
  }
  await database.transaction(async (tx) => {
    const before = await lockSensor(tx, id);
    const fields = sensorFieldsOf(body, before);
    if (fields.deviceType !== before.deviceType) {
      const controllers = await controllersOfSensor(tx, id);
      if (controllers.some(({ type }) => !takesSensorType(type, fields.deviceType))) {
        throw new ApiError(
          422,
          "validation",
          "the controller of this sensor does not support this device type",
          {
            field: "deviceType",
          },
        );
      }
    }
    const clusterId =
      body.clusterId === undefined || body.clusterId === null
        ? before.clusterId
        : await farmOfAccount(tx, accountId, body.clusterId);
    await auditRecorder(tx, async () => {
      await updateDevice(tx, id, {
        serial,
        externalId: body.externalId === undefined ? before.externalId : textOrNull(body.externalId),
        profile: body.profile === undefined ? before.profile : profileOf(body.profile, profiles),
      });
      await saveSensor(tx, id, { ...fields, clusterId });
    });
  });
  await deviceIndex.reload(id);
  if (serial !== device.serial) broker.endSession(device.serial);
  ingest.outputs.changed(accountId, "sensor", id);
}

/** Delete a sensor with its readings and its channel assignments, close its valves and end its connection. */
export async function removeSensor(
  { database, deviceIndex, ingest, broker, delivery }: Deps,
  device: KnownDevice,
  auditRecorder: AuditRecorder,
): Promise<void> {
  const { id, serial, accountId, channels } = device;
  const controllers = await controllersOfSensor(database, id);
  await delivery.silence(
    device,
    channels.map(({ number }) => number),
  );
  await thinOutSensor(database, id);
  await database.transaction((tx) => auditRecorder(tx, () => deleteDevice(tx, id)));
  await deviceIndex.reload(id);
  broker.endSession(serial);
  ingest.outputs.changed(accountId, "sensor", id);
  for (const controller of controllers) ingest.outputs.changed(accountId, "controller", controller.id);
}

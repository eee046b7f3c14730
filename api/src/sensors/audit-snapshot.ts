import type { Sensor } from "@mulkko/shared/entities/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Values } from "../audit/repository.ts";
import type { Audited, ReadAuditSnapshot } from "../devices/audit-recorder.ts";
import { readSensor } from "../devices/sensor-repository.ts";

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

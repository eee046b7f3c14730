import type { Sensor } from "@mulkko/shared/entities/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Values } from "../audit/repository.ts";
import type { ReadWitnessed, Witnessed } from "../device/witness.ts";
import { readSensor } from "./repository.ts";

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

/** What the audit remembers of a sensor. */
export const witnessedSensor = (sensor: Sensor): Witnessed => ({
  name: sensor.name || String(sensor.serial),
  values: valuesOf(sensor),
});

export const readWitnessedSensor =
  (zone: ApiTimeZone): ReadWitnessed =>
  async (tx, id) =>
    witnessedSensor(await readSensor(tx, zone, id));

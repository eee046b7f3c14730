import type { LogEntry } from "@mulkko/shared/entities/log-entry";
import { Sensor } from "@mulkko/shared/entities/sensor";
import type { FleetDeviceValue, FleetFlip } from "@mulkko/shared/live/fleet";
import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import type { KeptBeats } from "@mulkko/shared/rest/fleet";
import type { FleetDevice } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { Nullable } from "@mulkko/shared/schema/nullable";
import Type, { type Static } from "typebox";
import { readingValues } from "../core/normalise-reading.ts";
import { placed } from "./device-report.ts";

/** A row of `admin/sensors`; a foreign API names no owner. */
export const AdminSensorRow = Type.Object({
  ...Sensor.properties,
  username: Type.Optional(Nullable(Type.String())),
});
export type AdminSensorRow = Static<typeof AdminSensorRow>;

/** What a device's newest log says of it. */
export interface Sign extends Pick<FleetDeviceValue, "battery" | "rssi" | "fwversion"> {
  /** When it was heard, ms UTC. */
  readonly heardAt: number;
}

/** A device as an administrator's list of the farm API gives it. */
export interface ListedDevice
  extends Pick<
    FleetDeviceValue,
    "id" | "kind" | "account" | "username" | "name" | "deviceType" | "serial" | "latitude" | "longitude"
  > {
  readonly key: string;
  /** Null: never heard; undefined: the list does not say. */
  readonly sign: Sign | null | undefined;
  /** When it went offline or came back last, as the farm API recorded it; undefined: the API records none. */
  readonly flip?: FleetFlip | null | undefined;
  /** Its half-hours as the farm API recorded them. */
  readonly beats?: KeptBeats | undefined;
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** @returns null for a time that cannot be read */
export function signOf(
  kind: "sensor" | "controller",
  deviceType: string,
  entry: LogEntry,
  zone: ApiTimeZone,
): Sign | null {
  // A controller's row says when it was heard beside what it reported.
  const time = kind === "controller" ? (entry.modifiedDate ?? entry.createdDate) : entry.createdDate;
  const heardAt = zone.toInstant(time);
  if (heardAt === null) return null;
  const values = readingValues(deviceType, entry);
  const { fwversion } = values;
  return {
    heardAt,
    battery: numberOf(values.battery),
    rssi: numberOf(values.rssi),
    fwversion: typeof fwversion === "string" ? fwversion : null,
  };
}

/** A row of `admin/devices`. */
export function listedDevice(row: FleetDevice, zone: ApiTimeZone): ListedDevice {
  const {
    id,
    kind,
    userId: account,
    username,
    name,
    deviceType,
    serial,
    latitude,
    longitude,
    latestLog,
    flip,
    beats,
  } = row;
  return {
    key: fleetDeviceKey(kind, id),
    ...{ id, kind, account, username, name, deviceType, serial },
    latitude: placed(latitude),
    longitude: placed(longitude),
    sign: latestLog && signOf(kind, deviceType, latestLog, zone),
    flip,
    beats,
  };
}

/** A row of `admin/sensors`. */
export function listedSensor(row: AdminSensorRow, zone: ApiTimeZone): ListedDevice {
  const { id, userId, username, name, deviceType, serial, latitude, longitude, latestLog } = row;
  return {
    key: fleetDeviceKey("sensor", id),
    id,
    kind: "sensor",
    account: userId ?? null,
    username: username ?? null,
    name: name ?? null,
    deviceType,
    serial,
    latitude: placed(latitude),
    longitude: placed(longitude),
    sign: latestLog && signOf("sensor", deviceType, latestLog, zone),
  };
}

/** True if an administrator's write may have made the one of the other: what moves by itself does not count. */
export function isSameDevice(a: ListedDevice, b: ListedDevice): boolean {
  return (
    String(a.account) === String(b.account) &&
    a.name === b.name &&
    a.deviceType === b.deviceType &&
    String(a.serial) === String(b.serial) &&
    a.latitude === b.latitude &&
    a.longitude === b.longitude
  );
}

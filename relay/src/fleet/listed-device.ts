import type { LogEntry } from "@mulkko/shared/entities/log-entry";
import { Sensor } from "@mulkko/shared/entities/sensor";
import type { FleetDeviceValue, FleetFlip } from "@mulkko/shared/live/fleet";
import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import type { StoredActivity } from "@mulkko/shared/rest/fleet";
import type { FleetDevice } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { DeviceLink } from "@mulkko/shared/rules/quality";
import { Nullable } from "@mulkko/shared/schema/nullable";
import Type, { type Static } from "typebox";
import { readingValues } from "../account/normalise-reading.ts";
import { apiInstant } from "../upstream/api-instant.ts";
import { placed } from "./device-report.ts";

/** A row of `admin/sensors`. A foreign API does not name the owner. */
export const AdminSensorRow = Type.Object({
  ...Sensor.properties,
  username: Type.Optional(Nullable(Type.String())),
});
export type AdminSensorRow = Static<typeof AdminSensorRow>;

/** The data of a device's newest log. */
export interface LastSeen extends Pick<FleetDeviceValue, "battery" | "rssi" | "fwversion"> {
  /** Time of the last report, ms UTC. */
  readonly heardAt: number;
}

/** A device of an administrator's list of the farm API. */
export interface ListedDevice
  extends Pick<
    FleetDeviceValue,
    "id" | "kind" | "account" | "username" | "name" | "deviceType" | "serial" | "latitude" | "longitude"
  > {
  readonly key: string;
  /** Null: never reported; undefined: not in the list. */
  readonly lastSeen: LastSeen | null | undefined;
  /** A controller's connection, as its broker knows it; undefined: not in the list. */
  readonly link?: DeviceLink | undefined;
  /**
   * The last time the device went offline or came back, as recorded by the farm API; undefined: the API
   * records none.
   */
  readonly flip?: FleetFlip | null | undefined;
  /** The half-hours recorded by the farm API. */
  readonly beats?: StoredActivity | undefined;
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/**
 * Return the data of a log entry.
 * @returns null for a time that cannot be read
 */
export function lastSeenOf(
  kind: "sensor" | "controller",
  entry: LogEntry,
  zone: ApiTimeZone,
): LastSeen | null {
  // A controller's row holds the time of its last report separately from what it reported.
  const time = kind === "controller" ? (entry.modifiedDate ?? entry.createdDate) : entry.createdDate;
  const heardAt = apiInstant(time, zone);
  if (heardAt === null) return null;
  const values = readingValues(entry);
  const { fwversion } = values;
  return {
    heardAt,
    battery: numberOf(values.battery),
    rssi: numberOf(values.rssi),
    fwversion: typeof fwversion === "string" ? fwversion : null,
  };
}

/** Convert a row of `admin/devices`. */
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
    link,
    flip,
    beats,
  } = row;
  return {
    key: fleetDeviceKey(kind, id),
    ...{ id, kind, account, username, name, deviceType, serial },
    latitude: placed(latitude),
    longitude: placed(longitude),
    lastSeen: latestLog && lastSeenOf(kind, latestLog, zone),
    link,
    flip,
    beats,
  };
}

/** Convert a row of `admin/sensors`. */
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
    lastSeen: latestLog && lastSeenOf("sensor", latestLog, zone),
  };
}

/**
 * Return false if an administrator's write may have changed the device. Values that change by themselves are
 * ignored.
 */
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

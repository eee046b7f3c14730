import { LogEntry } from "@mulkko/shared/entities/log-entry";
import { Sensor } from "@mulkko/shared/entities/sensor";
import type { FleetDeviceValue, FleetFlip } from "@mulkko/shared/live/fleet";
import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import type { StoredActivity } from "@mulkko/shared/rest/fleet";
import { adminDevices, adminSensors } from "@mulkko/shared/rest/operations/admin";
import { latestStored } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { MAX_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { FleetDevice } from "@mulkko/shared/rest/sensor";
import type { DeviceLink } from "@mulkko/shared/rules/quality";
import { type ApiClock, newestTime } from "@mulkko/shared/rules/zoneless-time";
import { Nullable } from "@mulkko/shared/schema/nullable";
import Type, { type Static } from "typebox";
import type { Asking, PolledReader } from "../access/polled-reader.ts";
import { readingValues } from "../account/normalise-reading.ts";
import { placed } from "./reports.ts";

/** A row of `admin/sensors`. A foreign API does not name the owner. */
const AdminSensorRow = Type.Object({
  ...Sensor.properties,
  username: Type.Optional(Nullable(Type.String())),
});
type AdminSensorRow = Static<typeof AdminSensorRow>;

/** The data of a device's newest log. */
export interface LastSeen extends Pick<FleetDeviceValue, "battery" | "rssi" | "fwversion"> {
  /** Time of the last report, ms UTC. */
  readonly heardAt: number;
  /** Time of the measurement, ms UTC; absent where it is the time of the report. */
  readonly measuredAt?: number;
}

/** A device of an administrator's list of the farm API. */
export interface ListedDevice
  extends Pick<
    FleetDeviceValue,
    "id" | "kind" | "account" | "username" | "name" | "deviceType" | "serial" | "latitude" | "longitude"
  > {
  readonly key: string;
  /** Owner's name, telephone and farm, and the device's farm; undefined: not in the list. */
  readonly nickname?: string | undefined;
  readonly phone?: string | undefined;
  readonly farmAddress?: string | undefined;
  readonly farm?: string | null | undefined;
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

/** Read the API's time of a device's newest row, ms UTC; null for an invalid one. */
export type ReadTime = (text: string | null | undefined) => number | null;

/**
 * Return the data of a log entry.
 * @returns null for a time that cannot be read
 */
function lastSeenOf(
  kind: "sensor" | "controller",
  entry: LogEntry,
  readTime: ReadTime,
  contact?: string | null,
): LastSeen | null {
  // A controller's row holds the time of its last report separately from what it reported.
  const time = kind === "controller" ? (entry.modifiedDate ?? entry.createdDate) : entry.createdDate;
  const writtenAt = readTime(time);
  if (writtenAt === null) return null;
  const heardAt = contact == null ? writtenAt : Date.parse(contact);
  const values = readingValues(entry);
  const { fwversion } = values;
  return {
    heardAt,
    ...(kind === "sensor" && { measuredAt: writtenAt }),
    battery: numberOf(values.battery),
    rssi: numberOf(values.rssi),
    fwversion: typeof fwversion === "string" ? fwversion : null,
  };
}

/** Convert a row of `admin/devices`. */
export function listedDevice(row: FleetDevice, readTime: ReadTime): ListedDevice {
  const {
    id,
    kind,
    userId: account,
    username,
    name,
    deviceType,
    serial,
    link,
    flip,
    beats,
    heardAt,
    nickname,
    phone,
    farmAddress,
    farm,
  } = row;
  return {
    key: fleetDeviceKey(kind, id),
    ...{ id, kind, account, username, name, deviceType, serial, link, flip, beats },
    ...{ nickname, phone, farmAddress, farm },
    latitude: placed(row.latitude),
    longitude: placed(row.longitude),
    lastSeen: row.latestLog && lastSeenOf(kind, row.latestLog, readTime, heardAt),
  };
}

/** Convert a row of `admin/sensors`. */
function listedSensor(row: AdminSensorRow, readTime: ReadTime): ListedDevice {
  const { id, userId: account = null, username = null, name = null, deviceType, serial, latestLog } = row;
  return {
    key: fleetDeviceKey("sensor", id),
    ...{ id, kind: "sensor", account, username, name, deviceType, serial },
    latitude: placed(row.latitude),
    longitude: placed(row.longitude),
    lastSeen: latestLog && lastSeenOf("sensor", latestLog, readTime),
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
    a.farm === b.farm &&
    a.deviceType === b.deviceType &&
    String(a.serial) === String(b.serial) &&
    a.latitude === b.latitude &&
    a.longitude === b.longitude
  );
}

/** Most pages that are read. */
const PAGES_AT_MOST = 500;
/** Size limit in bytes for a list that is read in one piece. */
const LIST_BYTES = 64 * 1024 * 1024;

const Page = Type.Object({ content: Type.Array(FleetDevice), totalElements: Type.Integer() });
const Sensors = Nullable(Type.Array(AdminSensorRow));

/** How much of a list has been read. */
export interface ListProgress {
  readonly loaded: number;
  readonly total: number;
}

/** Reads all devices of all accounts from the farm API. */
export interface FleetList {
  /**
   * Read the list: page by page where the API supports it, else only its sensors (POLL-1).
   * @param onRows receives the rows of each page
   * @returns the keys of all pages
   */
  read(
    asking: Asking,
    onRows: (rows: readonly ListedDevice[], progress: ListProgress) => void,
  ): Promise<Set<string>>;
  /** Read the newest log of one sensor, where the list has none (POLL-1). */
  latest(id: ListedDevice["id"], asking: Asking): Promise<LastSeen | null>;
}

export interface FleetListDeps {
  readonly reader: PolledReader;
  readonly apiClock: ApiClock;
  /** Name of the poll unit. */
  readonly unit: string;
  /** Return true if the API lists devices page by page. */
  readonly hasPages: () => boolean;
  /** Return the last known contact of a device, ms UTC; null if there is none. */
  readonly heardAt: (key: string) => number | null;
}

/** Create the reader of the list. */
export function createFleetList({ reader, apiClock, unit, hasPages, heardAt }: FleetListDeps): FleetList {
  const timeOf =
    (key: string): ReadTime =>
    (text) =>
      newestTime(text, apiClock.zone, { now: apiClock.now(), before: heardAt(key) });
  async function* pages(asking: Asking): AsyncGenerator<{ rows: ListedDevice[]; total: number }> {
    if (!hasPages()) {
      const sensors = await reader.get(unit, adminSensors.path, Sensors, {
        ...asking,
        limits: { bytes: LIST_BYTES },
      });
      const rows = (sensors ?? []).map((row) => listedSensor(row, timeOf(fleetDeviceKey("sensor", row.id))));
      yield { rows, total: rows.length };
      return;
    }
    for (let page = 1; page <= PAGES_AT_MOST; page += 1) {
      // Sorted by the serial, which does not change while the pages are read.
      const query = { page: String(page), size: String(MAX_PAGE_SIZE), sort: "serial" };
      const { content, totalElements: total } = await reader.get(unit, adminDevices.path, Page, {
        ...asking,
        query,
      });
      yield {
        rows: content.map((row) => listedDevice(row, timeOf(fleetDeviceKey(row.kind, row.id)))),
        total,
      };
      // Compare with the total, not the rows read: the total includes rows that were left out.
      if (content.length === 0 || page * MAX_PAGE_SIZE >= total) return;
    }
  }

  return {
    async read(asking, onRows) {
      const keys = new Set<string>();
      for await (const { rows, total } of pages(asking)) {
        for (const { key } of rows) keys.add(key);
        onRows(rows, { loaded: keys.size, total });
      }
      return keys;
    },
    async latest(id, asking) {
      const path = pathTo(latestStored, { id });
      const entry = await reader.get("fleet-latest", path, Nullable(LogEntry), asking);
      return entry && lastSeenOf("sensor", entry, timeOf(fleetDeviceKey("sensor", id)));
    },
  };
}

import type { LogEntry } from "@mulkko/shared/entities/log-entry";
import type { Page } from "@mulkko/shared/rest/paging";
import type { AdminSensor, FleetDevice } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Queryable } from "../database/database.ts";
import { queryPacked } from "../database/packed-rows.ts";
import { readShownPresences } from "../devices/presence/repository.ts";
import { readSensors } from "../devices/sensor-repository.ts";
import { readingOf } from "../history/query/columns.ts";
import { logEntryOf } from "../history/query/log-entry.ts";
import { readLatest } from "../history/query/repository.ts";
import { matching, orderBy, type Slice, searchParameter } from "../http/paging.ts";

/** Most sensors in an unpaged list. */
export const MAX_WHOLE_LIST = 20_000;

/** Search text and order. */
export interface Search {
  readonly slice: Slice;
  readonly q: string | undefined;
  readonly sort: string | undefined;
}

interface DeviceRow {
  id: string;
  kind: "sensor" | "controller";
  account_id: string;
  username: string;
  nickname: string;
  phone: string;
  farm_address: string;
  farm: string | null;
  name: string;
  device_type: string;
  serial: number;
  latitude: number | null;
  longitude: number | null;
  total: number | null;
}

const COLUMNS = [
  ...["id", "kind", "account_id", "username", "nickname", "phone", "farm_address", "farm"],
  ...["serial", "name", "device_type", "latitude", "longitude", "total"],
];

/** Source of a list's rows, and its columns. */
interface Source {
  readonly from: string;
  readonly name: string;
  readonly deviceType: string;
  readonly description: string;
  /** Id of the device's farm. */
  readonly farm: string;
}

const SENSORS: Source = {
  from: "sensor join device on device.id = sensor.id join account on account.id = device.account_id and account.deleted_at is null",
  name: "sensor.name",
  deviceType: "sensor.device_type",
  description: "sensor.description",
  farm: "sensor.cluster_id",
};

const ALL: Source = {
  from: `device join account on account.id = device.account_id and account.deleted_at is null
    left join sensor on sensor.id = device.id left join controller on controller.id = device.id`,
  name: "coalesce(sensor.name, controller.name)",
  deviceType: "coalesce(sensor.device_type, controller.type)",
  description: "coalesce(sensor.description, controller.description)",
  farm: "coalesce(sensor.cluster_id, controller.cluster_id)",
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Return the SQL condition of a search, with the text as `$1`. */
function filterOf({ name, deviceType, description }: Source, q: string | undefined): string {
  if (q === undefined) return "$1::text is null";
  if (UUID.test(q)) return "device.id = $1::uuid";
  return matching("$1", [name, deviceType, description, "account.username"], ["device.serial"]);
}

/** Return one page of the matching devices, and their total number. */
async function findDevices(
  database: Queryable,
  source: Source,
  { slice, q, sort }: Search,
): Promise<{ rows: DeviceRow[]; total: number }> {
  const { name, deviceType, description } = source;
  const sortable = {
    id: "device.id",
    name,
    deviceType,
    serial: "device.serial",
    description,
    latitude: "sensor.latitude",
    longitude: "sensor.longitude",
    username: "account.username",
  };
  const wanted = searchParameter(q);
  const found = `from ${source.from} where ${filterOf(source, q)}`;
  // Without a filter, counting separately lets the page use an index.
  const total = q === undefined ? "null::bigint" : "count(*) over ()";
  const rows = await queryPacked<DeviceRow>(database, {
    columns: COLUMNS,
    from: `(select device.id, device.kind, device.account_id, account.username, account.nickname, account.phone, account.farm_address,
       (select cluster.name from cluster where cluster.id = ${source.farm}) as farm, device.serial,
       ${name} as name, ${deviceType} as device_type, sensor.latitude, sensor.longitude, ${total} as total
     ${found} ${orderBy(sort, sortable, "device.serial")} limit $2 offset $3) as found`,
    params: [wanted, slice.limit, slice.offset],
  });
  const counted = rows[0]?.total ?? null;
  if (counted !== null) return { rows, total: counted };
  // A page behind the last one has no row with a total either.
  const [all] = await database.query<{ total: number }>(`select count(*) as total ${found}`, [wanted]);
  return { rows, total: all?.total ?? 0 };
}

/** List sensors of all accounts with their owners' names. */
export async function findAllSensors(
  database: Queryable,
  zone: ApiTimeZone,
  search: Search,
): Promise<Page<AdminSensor>> {
  const { rows, total } = await findDevices(database, SENSORS, search);
  const names = new Map(rows.map(({ id, username }) => [id, username]));
  const sensors = await readSensors(database, zone, [...names.keys()]);
  const content = sensors.map((sensor) => ({ ...sensor, username: names.get(String(sensor.id)) ?? "" }));
  return { content, totalElements: total };
}

interface ReportRow {
  device_id: string;
  at: number;
  heard_at: number;
  fwversion: string | null;
  rssi: number | null;
}

/** Return the times of the controllers' last reports, in the format of a log entry. */
async function lastReports(
  database: Queryable,
  zone: ApiTimeZone,
  ids: readonly string[],
): Promise<Map<string, LogEntry>> {
  const rows = await database.query<ReportRow>(
    `select distinct on (device_id) device_id, at, heard_at, fwversion, rssi from channel_state
     where device_id = any($1::uuid[]) and at is not null and heard_at is not null
     order by device_id, arrival desc`,
    [ids],
  );
  return new Map(
    rows.map(({ device_id: sensorId, at, heard_at, fwversion, rssi }) => [
      sensorId,
      { sensorId, createdDate: zone.toApi(at), modifiedDate: zone.toApi(heard_at), fwversion, rssi },
    ]),
  );
}

/** Return a page of all devices with a serial, of all accounts. */
export async function findFleet(
  database: Queryable,
  zone: ApiTimeZone,
  search: Search,
  now: number,
): Promise<Page<FleetDevice>> {
  const { rows, total } = await findDevices(database, ALL, search);
  const idsOf = (kind: DeviceRow["kind"]): string[] =>
    rows.filter((row) => row.kind === kind).map(({ id }) => id);
  const readings = await readLatest(
    database,
    rows.filter(({ kind }) => kind === "sensor"),
  );
  const reports = await lastReports(database, zone, idsOf("controller"));
  const all = rows.map(({ id }) => id);
  const presences = await readShownPresences(database, all, now);
  const content = rows.map((row): FleetDevice => {
    const reading = readings.get(row.id);
    const entry = reading ? logEntryOf(readingOf(reading), row.device_type, zone) : reports.get(row.id);
    return {
      id: row.id,
      kind: row.kind,
      userId: row.account_id,
      username: row.username,
      nickname: row.nickname,
      phone: row.phone,
      farmAddress: row.farm_address,
      farm: row.farm,
      name: row.name,
      deviceType: row.device_type,
      serial: row.serial,
      latitude: row.latitude,
      longitude: row.longitude,
      latestLog: entry ?? null,
      ...presences.get(row.id),
    };
  });
  return { content, totalElements: total };
}

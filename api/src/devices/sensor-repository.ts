import type { Sensor } from "@mulkko/shared/entities/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Param, Queryable } from "../database/database.ts";
import { arrayLiteral, queryPacked } from "../database/packed-rows.ts";
import { type LatestRow, latestReadingOf } from "../history/query/columns.ts";
import { latestEntryOf } from "../history/query/log-entry.ts";
import { readLatest } from "../history/query/repository.ts";
import { notFound } from "../http/api-error.ts";
import { versionOf } from "../http/version.ts";

/** Most listed sensors of one account. */
export const MAX_LISTED = 5_000;

interface SensorRow {
  id: string;
  serial: number;
  account_id: string;
  name: string;
  device_type: string;
  description: string;
  crops: string;
  latitude: number;
  longitude: number;
  widget: boolean;
  cluster_id: number | null;
  cluster_name: string | null;
  ch_nums: number;
  image_path: string | null;
  external_id: string | null;
  profile: string | null;
  /** ms UTC. */
  created_at: number;
}

const COLUMNS = [
  "id",
  "serial",
  "account_id",
  "name",
  "device_type",
  "description",
  "crops",
  "latitude",
  "longitude",
  "widget",
  "cluster_id",
  "cluster_name",
  "ch_nums",
  "image_path",
  "external_id",
  "profile",
  "created_at",
];

const SENSORS = `
  select sensor.*, device.serial, device.account_id, device.external_id, device.profile,
    device.created_at, cluster.name as cluster_name
  from sensor join device using (id) left join cluster on cluster.id = sensor.cluster_id`;

/** @param rest of the statement that begins with {@link SENSORS} */
const sensorRows = (database: Queryable, rest: string, params: readonly Param[]): Promise<SensorRow[]> =>
  queryPacked(database, {
    columns: COLUMNS,
    times: ["created_at"],
    from: `(${SENSORS} ${rest}) as found`,
    params,
  });

function sensorOf(row: SensorRow, latest: LatestRow | undefined, zone: ApiTimeZone): Sensor {
  const { cluster_id: clusterId, cluster_name: name } = row;
  const written = {
    name: row.name,
    deviceType: row.device_type,
    serial: row.serial,
    description: row.description,
    crops: row.crops,
    latitude: row.latitude,
    longitude: row.longitude,
    widget: row.widget,
    clusterId: clusterId ?? 0,
    chNums: row.ch_nums,
    externalId: row.external_id,
    profile: row.profile,
  };
  return {
    id: row.id,
    ...written,
    imagePath: row.image_path,
    clusters: clusterId === null ? [] : [{ id: clusterId, name }],
    latestLog: latest ? latestEntryOf(latestReadingOf(latest), row.device_type, zone) : null,
    userId: row.account_id,
    createdDate: zone.toApi(row.created_at),
    version: versionOf(written),
  };
}

/** List the sensors of an account with their newest readings, by serial. */
export async function listSensors(
  database: Queryable,
  zone: ApiTimeZone,
  accountId: string,
  only: { readonly deviceType?: string; readonly widget?: boolean } = {},
): Promise<Sensor[]> {
  const rows = await sensorRows(
    database,
    `where device.account_id = $1 and ($2::text is null or device_type = $2)
       and ($3::boolean is null or widget = $3) order by device.serial limit $4`,
    [accountId, only.deviceType ?? null, only.widget ?? null, MAX_LISTED],
  );
  return withLatest(database, zone, rows);
}

async function withLatest(
  database: Queryable,
  zone: ApiTimeZone,
  rows: readonly SensorRow[],
): Promise<Sensor[]> {
  const latest = await readLatest(database, rows);
  return rows.map((row) => sensorOf(row, latest.get(row.id), zone));
}

/** Return sensors with their newest readings, in the order of their ids. */
export async function readSensors(
  database: Queryable,
  zone: ApiTimeZone,
  ids: readonly string[],
): Promise<Sensor[]> {
  const rows = await sensorRows(database, "where sensor.id = any($1::uuid[])", [arrayLiteral(ids)]);
  const sensors = new Map((await withLatest(database, zone, rows)).map((sensor) => [sensor.id, sensor]));
  return ids.flatMap((id) => sensors.get(id) ?? []);
}

/** Return one sensor with its newest reading. @throws ApiError 404 */
export async function readSensor(database: Queryable, zone: ApiTimeZone, id: string): Promise<Sensor> {
  const [sensor] = await readSensors(database, zone, [id]);
  if (!sensor) throw notFound("sensor");
  return sensor;
}

/** The editable columns of a sensor. */
export interface SensorFields {
  readonly name: string;
  readonly deviceType: string;
  readonly description: string;
  readonly crops: string;
  /** Degrees; 0 is "not placed". */
  readonly latitude: number;
  readonly longitude: number;
  readonly widget: boolean;
  readonly clusterId: number | null;
  readonly chNums: number;
}

/** True where a sensor of the account is on its home page. */
export async function hasWidget(database: Queryable, accountId: string): Promise<boolean> {
  const rows = await database.query(
    "select 1 from sensor join device using (id) where account_id = $1 and widget limit 1",
    [accountId],
  );
  return rows.length > 0;
}

/** Save a sensor's row beside that of its device. */
export async function saveSensor(tx: Queryable, id: string, fields: SensorFields): Promise<void> {
  await tx.query(
    `insert into sensor
       (id, name, device_type, description, crops, latitude, longitude, widget, cluster_id, ch_nums)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (id) do update set name = excluded.name, device_type = excluded.device_type,
       description = excluded.description, crops = excluded.crops, latitude = excluded.latitude,
       longitude = excluded.longitude, widget = excluded.widget, cluster_id = excluded.cluster_id,
       ch_nums = excluded.ch_nums`,
    [
      id,
      fields.name,
      fields.deviceType,
      fields.description,
      fields.crops,
      fields.latitude,
      fields.longitude,
      fields.widget,
      fields.clusterId,
      fields.chNums,
    ],
  );
}

/** A stored sensor, with its device's columns. */
export interface StoredSensor extends SensorFields {
  readonly externalId: string | null;
  readonly profile: string | null;
}

/** Return the stored values of a sensor, and lock its row until the transaction ends. */
export async function lockSensor(tx: Queryable, id: string): Promise<StoredSensor> {
  const [row] = await tx.query<StoredSensor>(
    `select name, device_type as "deviceType", description, crops, latitude, longitude, widget,
       cluster_id as "clusterId", ch_nums as "chNums", external_id as "externalId", profile
     from sensor join device using (id) where sensor.id = $1 for update`,
    [id],
  );
  if (!row) throw notFound("sensor");
  return row;
}

/** Return types and ids of the controllers with a sensor on a channel. */
export function controllersOfSensor(
  database: Queryable,
  sensorId: string,
): Promise<{ id: string; type: string }[]> {
  return database.query(
    `select distinct controller.id, controller.type from channel_sensor
     join channel on channel.id = channel_id join controller on controller.id = controller_id
     where sensor_id = $1`,
    [sensorId],
  );
}

/** The sensor of a log. */
export interface SensorHead {
  readonly id: string;
  readonly device_type: string;
  readonly ch_nums: number;
}

/** Find sensors that the owner may use; a null owner may use any. */
export function findSensors(
  database: Queryable,
  ids: readonly string[],
  owner: string | null,
): Promise<SensorHead[]> {
  return database.query<SensorHead>(
    `select sensor.id, device_type, ch_nums from sensor join device using (id)
     where sensor.id = any($1::uuid[]) and ($2::uuid is null or device.account_id = $2)`,
    [arrayLiteral(ids), owner],
  );
}

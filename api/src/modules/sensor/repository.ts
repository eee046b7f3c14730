import type { Sensor } from "@mulkko/shared/entities/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Queryable } from "../../database/database.ts";
import { type ReadingRow, readingOf } from "../log/columns.ts";
import { logEntryOf } from "../log/log-entry.ts";

/** Most sensors of one account in a list. */
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
}

const SENSORS = `
  select sensor.*, device.serial, device.account_id, cluster.name as cluster_name
  from sensor join device using (id) left join cluster on cluster.id = sensor.cluster_id`;

function sensorOf(row: SensorRow, latest: ReadingRow | undefined, zone: ApiTimeZone): Sensor {
  const { cluster_id: clusterId, cluster_name: name } = row;
  return {
    id: row.id,
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
    imagePath: row.image_path,
    clusters: clusterId === null ? [] : [{ id: clusterId, name }],
    latestLog: latest ? logEntryOf(readingOf(latest), row.device_type, zone) : null,
    userId: row.account_id,
  };
}

/** The sensors of an account with their newest readings, by serial. */
export async function listSensors(
  database: Queryable,
  zone: ApiTimeZone,
  accountId: string,
  only: { readonly deviceType?: string; readonly widget?: boolean } = {},
): Promise<Sensor[]> {
  const rows = await database.query<SensorRow>(
    `${SENSORS} where device.account_id = $1 and ($2::text is null or device_type = $2)
       and ($3::boolean is null or widget = $3) order by device.serial limit $4`,
    [accountId, only.deviceType ?? null, only.widget ?? null, MAX_LISTED],
  );
  const latest = await latestReadings(
    database,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => sensorOf(row, latest.get(row.id), zone));
}

/** The newest stored reading of each sensor that has one. */
export async function latestReadings(
  database: Queryable,
  sensorIds: readonly string[],
): Promise<ReadonlyMap<string, ReadingRow>> {
  const rows = await database.query<ReadingRow>("select * from latest where sensor_id = any($1::uuid[])", [
    sensorIds,
  ]);
  return new Map(rows.map((row) => [row.sensor_id, row]));
}

/** What a log needs to know of its sensor. */
export interface SensorHead {
  readonly id: string;
  readonly device_type: string;
  readonly ch_nums: number;
}

/** Sensors that the owner may use; a null owner may use any. */
export function findSensors(
  database: Queryable,
  ids: readonly string[],
  owner: string | null,
): Promise<SensorHead[]> {
  return database.query<SensorHead>(
    `select sensor.id, device_type, ch_nums from sensor join device using (id)
     where sensor.id = any($1::uuid[]) and ($2::uuid is null or device.account_id = $2)`,
    [ids, owner],
  );
}

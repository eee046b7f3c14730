import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Database } from "../database/database.ts";
import type { Reading } from "./reading.ts";

const names = Object.keys(FIELDS);
const quoted = names.map((name) => `"${name}"`);
const columns = ["sensor_id", "at", "received_at", "fwversion", "rssi", ...quoted].join(", ");
const typed = [
  "sensor_id uuid",
  "at timestamptz",
  "received_at timestamptz",
  "fwversion text",
  "rssi double precision",
  ...quoted.map((column) => `${column} double precision`),
].join(", ");
const replaced = ["at", "received_at", "fwversion", "rssi", ...quoted]
  .map((column) => `${column} = excluded.${column}`)
  .join(", ");

// Rows go in as one JSON text: one parameter whatever their number, and the same on both databases.
const STORE = `
  with incoming as materialized (select * from json_to_recordset($1::json) as row (${typed})),
  known as (select incoming.* from incoming join sensor on sensor.id = sensor_id),
  stored as (
    insert into reading (${columns}) select ${columns} from known on conflict do nothing returning sensor_id, at
  ),
  newest as (
    insert into latest (${columns})
    select distinct on (sensor_id) ${columns} from known order by sensor_id, at desc
    on conflict (sensor_id) do update set ${replaced} where excluded.at > latest.at
  )
  select sensor_id, at from stored`;

interface StoredKey {
  sensor_id: string;
  at: number;
}

const keyOf = (sensorId: string, at: number): string => `${sensorId} ${at}`;

/**
 * Stores readings in one statement, each (sensor, at) once; an older one never replaces a newer `latest`.
 *
 * @returns those that were not there before
 */
export async function storeReadings(database: Database, readings: readonly Reading[]): Promise<Reading[]> {
  const rows = readings.map(({ sensorId, at, receivedAt, fwversion, rssi, fields }) => ({
    ...fields,
    sensor_id: sensorId,
    at: new Date(at).toISOString(),
    received_at: new Date(receivedAt).toISOString(),
    fwversion,
    rssi,
  }));
  const stored = await database.query<StoredKey>(STORE, [JSON.stringify(rows)]);
  const fresh = new Set(stored.map(({ sensor_id, at }) => keyOf(sensor_id, at)));
  // Of two readings with one key in a batch, one was stored.
  return readings.filter(({ sensorId, at }) => fresh.delete(keyOf(sensorId, at)));
}

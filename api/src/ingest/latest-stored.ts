import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import type { Database } from "../database/database.ts";

const FIELD_NAMES = Object.keys(FIELDS).filter(isFieldName);

/**
 * Content of a message, to distinguish news from a repetition. Brokers and devices send an unacknowledged message
 * again, also after others and after a restart of either side.
 */
export interface Said {
  /** Source within the device: its readings, or one channel. */
  readonly source: string;
  readonly content: string;
}

/** Return what a reading says; fields without a value do not count. */
export function saidByReading(fields: Readonly<Partial<Record<FieldName, number | null>>>): Said {
  const values = FIELD_NAMES.flatMap((name) => (fields[name] == null ? [] : [`${name}=${fields[name]}`]));
  return { source: "up", content: values.join() };
}

/** The newest stored reading of a sensor. */
export interface LatestStored {
  readonly sensorId: string;
  /** ms since 1970 UTC */
  readonly at: number;
  /** True if its time is the sensor's own, or that of its arrival, and no sign of a wrong clock. */
  readonly isClockRight: boolean;
  /** Null for a reading whose time has passed: it is no longer kept. */
  readonly said: Said | null;
}

/** Read the newest stored reading of each sensor. @throws DatabaseError */
export async function readLatestStored(database: Database): Promise<LatestStored[]> {
  const columns = FIELD_NAMES.map((name) => `reading."${name}"`).join(", ");
  const rows = await database.query<
    { sensor_id: string; at: number; is_right: boolean } & Partial<Record<FieldName, number | null>>
  >(
    `select latest.sensor_id, latest.at,
       latest.clock_wrong_since is null and latest.at <= latest.received_at as is_right, ${columns}
     from latest left join reading on reading.sensor_id = latest.sensor_id and reading.at = latest.at`,
  );
  return rows.map(({ sensor_id, at, is_right, ...fields }) => {
    const said = saidByReading(fields);
    return { sensorId: sensor_id, at, isClockRight: is_right, said: said.content === "" ? null : said };
  });
}

import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import type { Database } from "../database/database.ts";
import { arrayLiteral } from "../database/packed-rows.ts";
import { addToRollups } from "../history/late-readings.ts";
import { dayOf } from "../history/levels.ts";
import { withMonths } from "../history/months.ts";
import {
  type Fields,
  type FieldTimes,
  type LatestReading,
  mergeLatest,
  type Reading,
} from "../history/reading.ts";

const ALL = Object.keys(FIELDS).filter(isFieldName);
const quoted = (name: FieldName): string => `"${name}"`;
const OWN = [
  ["sensor_id", "uuid"],
  ["at", "timestamptz"],
  ["received_at", "timestamptz"],
  ["fwversion", "text"],
  ["rssi", "double precision"],
] as const;

/** Return SQL for the time of a field of a row in ms, or null where it has none of its own. */
const timeOf = (row: string, name: FieldName): string => `(${row}.field_at->>'${name}')::float8`;

/**
 * Update the newest values of each sensor, field by field. A field missing in a reading keeps its value and
 * its time. A reading older than the newest one sets only fields without a newer value.
 */
function newestSql(names: readonly FieldName[]): string {
  const isNewer = "excluded.at > latest.at";
  const isWanted = (name: FieldName): string =>
    `(excluded.${quoted(name)} is not null and (latest.${quoted(name)} is null
      or ${timeOf("excluded", name)} > coalesce(${timeOf("latest", name)}, 0)))`;
  const kept = names.map(
    (name) => `,
      ${quoted(name)} = case when ${isNewer}
      then coalesce(excluded.${quoted(name)}, latest.${quoted(name)})
      when ${isWanted(name)} then excluded.${quoted(name)} else latest.${quoted(name)} end`,
  );
  const wantedTimes = names.map(
    (name) => `'${name}', case when ${isWanted(name)} then excluded.field_at->'${name}' end`,
  );
  return `on conflict (sensor_id) do update set
      at = greatest(latest.at, excluded.at), received_at = greatest(latest.received_at, excluded.received_at),
      fwversion = case when ${isNewer} then coalesce(excluded.fwversion, latest.fwversion) else latest.fwversion end,
      rssi = case when ${isNewer} then coalesce(excluded.rssi, latest.rssi) else latest.rssi end,
      field_at = latest.field_at || case when ${isNewer} then excluded.field_at
        else jsonb_strip_nulls(jsonb_build_object(${wantedTimes.join(", ")})) end${kept.join("")}
    where ${[isNewer, ...names.map(isWanted)].join(" or ")}`;
}

/**
 * Return the statement for a batch with these fields. It locks the sensors' states, so that no sensor is deleted
 * and no hour is closed during the transaction. Readings of a deleted sensor are not stored. It returns only
 * exceptions, by their index in the batch: usually none. Its parameters are the batch, the newest values of each
 * sensor in the same columns, and the times of their fields.
 */
function storeSql(names: readonly FieldName[]): string {
  const typed = [...OWN, ...names.map((name) => [quoted(name), "double precision"] as const)];
  const columns = typed.map(([name]) => name).join(", ");
  const parameters = (from: number): string =>
    typed.map(([, type], index) => `$${from + index}::${type}[]`).join(", ");
  return `
    with held as materialized (
      select sensor_id as id, closed_until from history_state
      where sensor_id = any($1::uuid[]) order by sensor_id for share
    ),
    incoming as materialized (
      select * from unnest(${parameters(1)})
        with ordinality as row (${columns}, place) left join held on held.id = sensor_id
    ),
    stored as (
      insert into reading (${columns}) select ${columns} from incoming where id is not null
      on conflict do nothing returning sensor_id, at
    ),
    newest as (
      insert into latest (${columns}, field_at)
      select ${columns}, field_at
      from unnest(${parameters(1 + typed.length)}, $${1 + 2 * typed.length}::jsonb[]) as row (${columns}, field_at)
        join held on held.id = sensor_id
      ${newestSql(names)}
    )
    select place - 1 as place, case when stored.at is not null then closed_until end as closed_until
    from incoming left join stored using (sensor_id, at)
    where stored.at is null or at < closed_until`;
}

function paramsOf(readings: readonly Reading[], names: readonly FieldName[]): string[] {
  return [
    arrayLiteral(readings.map(({ sensorId }) => sensorId)),
    arrayLiteral(readings.map(({ at }) => new Date(at).toISOString())),
    arrayLiteral(readings.map(({ receivedAt }) => new Date(receivedAt).toISOString())),
    arrayLiteral(readings.map(({ fwversion }) => fwversion)),
    arrayLiteral(readings.map(({ rssi }) => rssi)),
    ...names.map((name) => arrayLiteral(readings.map(({ fields }) => fields[name] ?? null))),
  ];
}

/** A reading that was not new (null), or that belongs to a closed hour. */
interface Unusual {
  readonly place: number;
  readonly closed_until: number | null;
}

const keyOf = (sensorId: string, at: number): string => `${sensorId} ${at}`;

/** Of two readings of one sensor and time the first counts. */
function firstOfEach(readings: readonly Reading[]): Reading[] {
  const seen = new Set<string>();
  return readings.filter(({ sensorId, at }) => {
    const key = keyOf(sensorId, at);
    return !seen.has(key) && seen.add(key);
  });
}

function timesOfFields(
  fields: Fields,
  fieldTimes: FieldTimes,
  at: number,
): Readonly<Partial<Record<FieldName, number>>> {
  return Object.fromEntries(
    Object.keys(fields)
      .filter(isFieldName)
      .map((name) => [name, fieldTimes[name] ?? at]),
  );
}

/** Merge the readings of each sensor, field by field. */
function newestOfEach(readings: readonly Reading[]): LatestReading[] {
  const newest = new Map<string, LatestReading>();
  for (const reading of readings)
    newest.set(reading.sensorId, mergeLatest(newest.get(reading.sensorId), reading));
  return [...newest.values()];
}

/**
 * Store readings in one transaction, each (sensor, at) once. An older value never replaces a newer one in
 * `latest`. Readings of closed hours and days are counted there; the others when their hour is closed.
 *
 * @returns the new readings
 */
export async function storeReadings(database: Database, readings: readonly Reading[]): Promise<Reading[]> {
  const unique = firstOfEach(readings);
  const names = ALL.filter((name) => unique.some(({ fields }) => fields[name] !== undefined));
  const sql = storeSql(names);
  const newest = newestOfEach(unique);
  const times = newest.map(({ fields, fieldTimes, at }) =>
    JSON.stringify(timesOfFields(fields, fieldTimes, at)),
  );
  const params = [...paramsOf(unique, names), ...paramsOf(newest, names), arrayLiteral(times)];
  return withMonths(database, unique, () =>
    database.transaction(async (tx) => {
      const unusual = new Map(
        (await tx.query<Unusual>(sql, params)).map(({ place, closed_until }) => [place, closed_until]),
      );
      if (unusual.size === 0) return unique;
      const late = [...unusual].flatMap(([place, closedUntil]) => {
        const reading = unique[place];
        return reading && closedUntil !== null ? [{ reading, closedUntil }] : [];
      });
      await addToRollups(
        tx,
        late.map(({ reading }) => reading),
        late.flatMap(({ reading, closedUntil }) => (reading.at < dayOf(closedUntil) ? [reading] : [])),
      );
      return unique.filter((_, place) => unusual.get(place) !== null);
    }),
  );
}

import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import type { Database } from "../database/database.ts";
import { arrayLiteral } from "../database/packed-rows.ts";
import { addToRollups } from "../history/late-readings.ts";
import { dayOf } from "../history/levels.ts";
import { withMonths } from "../history/months.ts";
import { arrivalOf, type LatestReading, mergeLatest, type Reading } from "../history/reading.ts";

const ALL = Object.keys(FIELDS).filter(isFieldName);
const quoted = (name: FieldName): string => `"${name}"`;
const OWN = [
  ["sensor_id", "uuid"],
  ["at", "timestamptz"],
  ["received_at", "timestamptz"],
  ["fwversion", "text"],
  ["rssi", "double precision"],
  ["clock_wrong_since", "timestamptz"],
] as const;

type Columns = readonly (readonly [name: string, type: string])[];

const columnsOf = (names: readonly FieldName[]): Columns => [
  ...OWN,
  ...names.map((name) => [quoted(name), "double precision"] as const),
];

/** Columns of `latest` beside those of a reading. */
const LATEST_OWN = [
  ["arrival", "bigint"],
  ["field_at", "jsonb"],
] as const;

const listOf = (columns: Columns): string => columns.map(([name]) => name).join(", ");

const parametersOf = (columns: Columns, from: number): string =>
  columns.map(([, type], index) => `$${from + index}::${type}[]`).join(", ");

/** SQL: the known times of fields; a clock that was ahead has left times after a live reading's own. */
const TIMES_UP_TO_NOW = `case when latest.at <= excluded.at then latest.field_at else (
  select coalesce(jsonb_object_agg(key, least(value::text::float8, round(extract(epoch from excluded.at) * 1000))), '{}')
  from jsonb_each(latest.field_at)) end`;

/**
 * Return the statement for a batch with these fields. It locks the sensors' states, so that no sensor is deleted
 * and no hour is closed during the transaction. Readings of a deleted sensor are not stored. A live reading, which
 * has an arrival, replaces the newest one whatever its time; a late one only where it was measured later. A field
 * missing in a newer reading keeps its value and its time. It returns only exceptions, by their index in the batch:
 * usually none. Its parameters are the batch, the newest reading of each sensor in the same columns, and the times
 * of their fields.
 */
function storeSql(names: readonly FieldName[]): string {
  const typed = columnsOf(names);
  const columns = listOf(typed);
  const known: Columns = [...typed, ...LATEST_OWN];
  const replaced = ["fwversion", "rssi", ...names.map(quoted)].map(
    (name) => `, ${name} = coalesce(excluded.${name}, latest.${name})`,
  );
  return `
    with held as materialized (
      select sensor_id as id, closed_until from history_state
      where sensor_id = any($1::uuid[]) order by sensor_id for share
    ),
    incoming as materialized (
      select * from unnest(${parametersOf(typed, 1)})
        with ordinality as row (${columns}, place) left join held on held.id = sensor_id
    ),
    stored as (
      insert into reading (${columns}) select ${columns} from incoming where id is not null
      on conflict do nothing returning sensor_id, at
    ),
    newest as (
      insert into latest (${listOf(known)})
      select ${listOf(known)} from unnest(${parametersOf(known, 1 + typed.length)})
        as row (${listOf(known)}) join held on held.id = sensor_id
      on conflict (sensor_id) do update set
        at = excluded.at, clock_wrong_since = excluded.clock_wrong_since,
        arrival = coalesce(excluded.arrival, latest.arrival),
        received_at = case when excluded.arrival is null then greatest(latest.received_at, excluded.received_at)
          else excluded.received_at end,
        field_at = ${TIMES_UP_TO_NOW} || excluded.field_at${replaced.join("")}
      where excluded.arrival is not null or excluded.at > latest.at returning sensor_id as id
    )
    select place - 1 as place, stored.at is not null as is_new,
      case when at < closed_until then closed_until end as closed_until, newest.id is null as is_older
    from incoming left join stored using (sensor_id, at) left join newest using (id)
    where stored.at is null or at < closed_until or newest.id is null`;
}

/**
 * Return the statement for readings that are older than the newest one of their sensor: they set only the fields
 * without a newer value. Its parameters are the merged readings of each sensor and the times of their fields.
 */
function olderSql(names: readonly FieldName[]): string {
  const typed: Columns = [...columnsOf(names), ...LATEST_OWN];
  const timeOf = (row: string, name: FieldName): string => `(${row}.field_at->>'${name}')::float8`;
  const isWanted = (name: FieldName): string =>
    `(older.${quoted(name)} is not null and (latest.${quoted(name)} is null
      or ${timeOf("older", name)} > coalesce(${timeOf("latest", name)}, 0)))`;
  const times = names.map(
    (name) => `'${name}', case when ${isWanted(name)} then older.field_at->'${name}' end`,
  );
  const values = names.map(
    (name) =>
      `, ${quoted(name)} = case when ${isWanted(name)} then older.${quoted(name)} else latest.${quoted(name)} end`,
  );
  return `
    update latest set received_at = greatest(latest.received_at, older.received_at),
      field_at = latest.field_at || jsonb_strip_nulls(jsonb_build_object(${times.join(", ")}))${values.join("")}
    from unnest(${parametersOf(typed, 1)}) as older (${listOf(typed)})
    where latest.sensor_id = older.sensor_id and latest.at >= older.at and (${names.map(isWanted).join(" or ")})`;
}

function paramsOf(readings: readonly Reading[], names: readonly FieldName[]): string[] {
  return [
    arrayLiteral(readings.map(({ sensorId }) => sensorId)),
    arrayLiteral(readings.map(({ at }) => new Date(at).toISOString())),
    arrayLiteral(readings.map(({ receivedAt }) => new Date(receivedAt).toISOString())),
    arrayLiteral(readings.map(({ fwversion }) => fwversion)),
    arrayLiteral(readings.map(({ rssi }) => rssi)),
    arrayLiteral(
      readings.map(({ clockWrongSince: since }) => (since ? new Date(since).toISOString() : null)),
    ),
    ...names.map((name) => arrayLiteral(readings.map(({ fields }) => fields[name] ?? null))),
  ];
}

/** A reading that was stored already, belongs to a closed hour, or is not the newest of its sensor. */
interface Unusual {
  readonly place: number;
  readonly is_new: boolean;
  readonly closed_until: number | null;
  readonly is_older: boolean;
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

/** Return the times of a reading's fields, as in the column `field_at`. */
function timesOf({ fields, fieldTimes, at }: LatestReading): string {
  const names = Object.keys(fields).filter(isFieldName);
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, fieldTimes[name] ?? at])));
}

/** True if a reading replaces the newest known one of its sensor: it is live, or was measured later. */
const replaces = (reading: Reading, newest: Reading | undefined): boolean =>
  newest === undefined || reading.arrival !== undefined || reading.at > newest.at;

/** Return the newest reading of each sensor, and all its readings merged, field by field. */
function newestOfEach(readings: readonly Reading[]): { newest: LatestReading[]; merged: LatestReading[] } {
  const newest = new Map<string, Reading>();
  const merged = new Map<string, LatestReading>();
  for (const reading of readings) {
    const { sensorId } = reading;
    if (replaces(reading, newest.get(sensorId))) newest.set(sensorId, reading);
    merged.set(sensorId, mergeLatest(merged.get(sensorId), reading));
  }
  return {
    newest: [...merged.values()].map((all) => ({
      ...all,
      fields: newest.get(all.sensorId)?.fields ?? {},
      fieldTimes: {},
    })),
    merged: [...merged.values()],
  };
}

/**
 * Store readings, in order of arrival, in one transaction, each (sensor, at) once. In `latest` a live value
 * replaces every earlier one, and a late value none that was measured later (ORD-1). Readings of closed hours and
 * days are counted there; the others when their hour is closed.
 *
 * @returns the new readings
 */
export async function storeReadings(database: Database, readings: readonly Reading[]): Promise<Reading[]> {
  const unique = firstOfEach(readings);
  const names = ALL.filter((name) => unique.some(({ fields }) => fields[name] !== undefined));
  const sql = storeSql(names);
  const { newest, merged } = newestOfEach(unique);
  const latestParams = (latest: readonly LatestReading[]): string[] => [
    ...paramsOf(latest, names),
    arrayLiteral(latest.map(({ arrival }) => arrival ?? null)),
    arrayLiteral(latest.map(timesOf)),
  ];
  const isInParts = merged.some(({ fieldTimes }) => Object.keys(fieldTimes).length > 0);
  return withMonths(database, unique, () =>
    database.transaction(async (tx) => {
      const unusual = await tx.query<Unusual>(sql, [...paramsOf(unique, names), ...latestParams(newest)]);
      if (names.length > 0 && (isInParts || unusual.some(({ is_older }) => is_older)))
        await tx.query(olderSql(names), latestParams(merged));
      if (unusual.length === 0) return unique;
      const late = unusual.flatMap(({ place, is_new, closed_until }) => {
        const reading = unique[place];
        return reading && is_new && closed_until !== null ? [{ reading, closedUntil: closed_until }] : [];
      });
      await addToRollups(
        tx,
        late.map(({ reading }) => reading),
        late.flatMap(({ reading, closedUntil }) => (reading.at < dayOf(closedUntil) ? [reading] : [])),
      );
      const known = new Set(unusual.flatMap(({ place, is_new }) => (is_new ? [] : [place])));
      return unique.filter((_, place) => !known.has(place));
    }),
  );
}

/** A reading that has arrived, as it is stored: moved by some milliseconds. */
interface Placed {
  readonly reading: Reading;
  readonly arrived: Reading;
}

/** True if two readings of one time say the same of every field. */
const isSame = (fields: Reading["fields"], row: Readonly<Record<string, unknown>>): boolean =>
  ALL.every((name) => (fields[name] ?? null) === (row[name] ?? null));

/**
 * Return the readings whose time another reading has. The same one with its time is a repetition; of one that is dated
 * by its arrival the message itself has shown that it is none.
 */
async function othersOf(database: Database, placed: readonly Placed[]): Promise<Placed[]> {
  const stated = placed.map(({ reading }) => reading).filter((one) => !one.isDatedByArrival);
  if (stated.length === 0) return [...placed];
  const rows = await database.query<{ sensor_id: string; at: number } & Record<string, unknown>>(
    `select sensor_id, at, ${ALL.map(quoted).join(", ")} from reading
     join unnest($1::uuid[], $2::timestamptz[]) as wanted (sensor_id, at) using (sensor_id, at)`,
    paramsOf(stated, []).slice(0, 2),
  );
  const stored = new Map(rows.map((row) => [keyOf(row.sensor_id, row.at), row]));
  return placed.filter(({ reading: { sensorId, at, fields, isDatedByArrival } }) => {
    const row = stored.get(keyOf(sensorId, at));
    // Without a row its sensor was deleted.
    return isDatedByArrival || (row !== undefined && !isSame(fields, row));
  });
}

/** Most milliseconds by which a reading is moved. */
const MOVED_AT_MOST = 1_000;

/**
 * Store readings that have just arrived, as {@link storeReadings}. A reading gets the next free millisecond where its own
 * has another reading: after a clock was set back, the device's or that of the arrivals, other readings have these times.
 *
 * @returns the new readings
 */
export async function storeArrived(database: Database, readings: readonly Reading[]): Promise<Reading[]> {
  const fresh = await storeReadings(database, readings);
  const stored = new Set(fresh);
  let waiting: readonly Placed[] = readings
    .filter((one) => !stored.has(one))
    .map((one) => ({ reading: one, arrived: one }));
  for (let moved = 0; waiting.length > 0 && moved < MOVED_AT_MOST; moved += 1) {
    const others = await othersOf(database, waiting);
    // Its values are in `latest` already, in its place in the order of arrival.
    waiting = others.map(({ reading: { arrival: _, ...one }, arrived }) => ({
      reading: { ...one, at: one.at + 1 },
      arrived,
    }));
    const now = new Set(
      await storeReadings(
        database,
        waiting.map(({ reading }) => reading),
      ),
    );
    for (const { reading, arrived } of waiting)
      if (now.has(reading)) fresh.push({ ...reading, ...arrivalOf(arrived.arrival) });
    waiting = waiting.filter(({ reading }) => !now.has(reading));
  }
  return fresh;
}

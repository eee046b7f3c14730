import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import { arrayLiteral } from "../database/array-literal.ts";
import type { Database } from "../database/database.ts";
import { dayOf } from "../history/levels.ts";
import { withMonths } from "../history/months.ts";
import { addToRollups } from "../history/rollup-store.ts";
import type { Reading } from "./reading.ts";

const ALL = Object.keys(FIELDS).filter(isFieldName);
const quoted = (name: FieldName): string => `"${name}"`;
const OWN = [
  ["sensor_id", "uuid"],
  ["at", "timestamptz"],
  ["received_at", "timestamptz"],
  ["fwversion", "text"],
  ["rssi", "double precision"],
] as const;

/**
 * One statement for a batch with these fields. The sensors' states are held fast, so that no sensor leaves and no
 * hour is closed before the end of the transaction; readings of a sensor that has left are not stored. It answers
 * what is out of the ordinary alone, by its place in the batch: as a rule nothing.
 */
function storeSql(names: readonly FieldName[]): string {
  const typed = [...OWN, ...names.map((name) => [quoted(name), "double precision"] as const)];
  const columns = typed.map(([name]) => name).join(", ");
  const replaced = [
    ...OWN.slice(1).map(([name]) => `${name} = excluded.${name}`),
    ...ALL.map((name) => `${quoted(name)} = ${names.includes(name) ? `excluded.${quoted(name)}` : "null"}`),
  ].join(", ");
  return `
    with held as materialized (
      select sensor_id as id, closed_until from history_state
      where sensor_id = any($1::uuid[]) order by sensor_id for share
    ),
    incoming as materialized (
      select * from unnest(${typed.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ")})
        with ordinality as row (${columns}, place) left join held on held.id = sensor_id
    ),
    stored as (
      insert into reading (${columns}) select ${columns} from incoming where id is not null
      on conflict do nothing returning sensor_id, at
    ),
    newest as (
      insert into latest (${columns})
      select distinct on (sensor_id) ${columns} from incoming where id is not null order by sensor_id, at desc
      on conflict (sensor_id) do update set ${replaced} where excluded.at > latest.at
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

/** A reading that was not new (null), or that came for an hour that was closed until then. */
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

/**
 * Stores readings in one transaction, each (sensor, at) once; an older one never replaces a newer `latest`. Those
 * of hours and days that are closed are counted there: the others when their hour is closed.
 *
 * @returns those that were not there before
 */
export async function storeReadings(database: Database, readings: readonly Reading[]): Promise<Reading[]> {
  const unique = firstOfEach(readings);
  const names = ALL.filter((name) => unique.some(({ fields }) => fields[name] !== undefined));
  const sql = storeSql(names);
  const params = paramsOf(unique, names);
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

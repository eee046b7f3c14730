import { type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";

/** The measurements of a reading in wire units; an absent field was not measured. */
export type Fields = Readonly<Partial<Record<FieldName, number>>>;

/** A reading to be stored. Times are ms since 1970 UTC. */
export interface Reading {
  readonly sensorId: string;
  /** Time of measurement. */
  readonly at: number;
  /** Time of arrival. */
  readonly receivedAt: number;
  readonly fwversion: string | null;
  /** dBm */
  readonly rssi: number | null;
  readonly fields: Fields;
}

/** Times at which fields were measured, ms since 1970 UTC; an absent field was measured with its reading. */
export type FieldTimes = Readonly<Partial<Record<FieldName, number>>>;

/** The newest value of each field of a sensor. `at` is the time of the newest of them. */
export interface LatestReading extends Reading {
  readonly fieldTimes: FieldTimes;
}

/**
 * Merge a reading, which may be older, into the latest values: each field keeps its newest value and its
 * time.
 */
export function mergeLatest(known: LatestReading | undefined, reading: Reading): LatestReading {
  if (!known) return { ...reading, fieldTimes: {} };
  const isNewer = reading.at > known.at;
  const [newer, older] = isNewer ? [reading, known] : [known, reading];
  const at = newer.at;
  const fields: Partial<Record<FieldName, number>> = { ...older.fields, ...newer.fields };
  const fieldTimes: Partial<Record<FieldName, number>> = isNewer ? {} : { ...known.fieldTimes };
  for (const [name, value] of Object.entries(older.fields)) {
    if (!isFieldName(name)) continue;
    const time = isNewer ? (known.fieldTimes[name] ?? known.at) : reading.at;
    const taken = newer.fields[name] === undefined ? undefined : (fieldTimes[name] ?? at);
    if (taken !== undefined && taken >= time) continue;
    fields[name] = value;
    if (time === at) delete fieldTimes[name];
    else fieldTimes[name] = time;
  }
  return {
    sensorId: reading.sensorId,
    at,
    receivedAt: Math.max(known.receivedAt, reading.receivedAt),
    fwversion: newer.fwversion ?? older.fwversion,
    rssi: newer.rssi ?? older.rssi,
    fields,
    fieldTimes,
  };
}

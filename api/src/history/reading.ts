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
  /** Number in the order of arrival of a live message (ORD-1); absent for a late or imported reading. */
  readonly arrival?: number;
  /** Since when the device's clock has been wrong, so that `at` is the arrival (ORD-2); absent: it is right. */
  readonly clockWrongSince?: number;
  /** True if `at` is not the device's: another reading of that time is no repetition. */
  readonly isDatedByArrival?: true;
}

/** Times at which fields were measured, ms since 1970 UTC; an absent field was measured with its reading. */
export type FieldTimes = Readonly<Partial<Record<FieldName, number>>>;

/** The newest value of each field of a sensor. `at` is the time of the newest of them. */
export interface LatestReading extends Reading {
  readonly fieldTimes: FieldTimes;
  /** Contact after the sensor's last gap of an hour or more (FLIP-1); absent: none is known here. */
  readonly backAt?: number;
}

/**
 * Merge a reading into the latest values: each field keeps its newest value and its time. A live reading is
 * newer than everything before it, whatever its time; a late one by its time (ORD-1).
 */
export function mergeLatest(known: LatestReading | undefined, reading: Reading): LatestReading {
  if (!known) return { ...reading, fieldTimes: {} };
  const isLive = reading.arrival !== undefined;
  const isNewer = isLive || reading.at > known.at;
  const [newer, older] = isNewer ? [reading, known] : [known, reading];
  const at = newer.at;
  const fields: Partial<Record<FieldName, number>> = { ...older.fields, ...newer.fields };
  const fieldTimes: Partial<Record<FieldName, number>> = isNewer ? {} : { ...known.fieldTimes };
  for (const [name, value] of Object.entries(older.fields)) {
    if (!isFieldName(name)) continue;
    // No earlier value is newer than a live reading: its time came from a clock that was ahead.
    const time = isNewer ? Math.min(known.fieldTimes[name] ?? known.at, at) : reading.at;
    const taken = newer.fields[name] === undefined ? undefined : (fieldTimes[name] ?? at);
    if (taken !== undefined && taken >= time) continue;
    fields[name] = value;
    if (time === at) delete fieldTimes[name];
    else fieldTimes[name] = time;
  }
  return {
    sensorId: reading.sensorId,
    at,
    receivedAt: isLive ? reading.receivedAt : Math.max(known.receivedAt, reading.receivedAt),
    fwversion: newer.fwversion ?? older.fwversion,
    rssi: newer.rssi ?? older.rssi,
    fields,
    fieldTimes,
    ...arrivalOf(reading.arrival ?? known.arrival),
    ...clockOf(newer.clockWrongSince),
  };
}

/** Return the optional arrival as a part of a reading. */
export const arrivalOf = (arrival: number | null | undefined): Pick<Reading, "arrival"> =>
  arrival == null ? {} : { arrival };

/** Return the optional fault of the clock as a part of a reading. */
export const clockOf = (since: number | null | undefined): Pick<Reading, "clockWrongSince"> =>
  since == null ? {} : { clockWrongSince: since };

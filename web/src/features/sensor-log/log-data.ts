import type { LiveReading } from "@mulkko/shared/live/devices";
import type { History, HistorySeries } from "@mulkko/shared/rest/history";
import type { FieldStatistics } from "@mulkko/shared/rest/log";
import { readingNumber } from "../../farm/reading.ts";
import { addToBucket, type Bucket, bucketsOf, emptyBucket, mergeBuckets } from "../../ui/chart/bucket.ts";

/** What the charts of one sensor show. Buckets by field, in wire units, on one grid. */
export interface LogData {
  /** ms */
  readonly step: number;
  readonly buckets: Readonly<Record<string, readonly Bucket[]>>;
  readonly statistics: Readonly<Record<string, FieldStatistics>>;
}

const NO_STATISTICS: FieldStatistics = { max: null, min: null, avg: null, variance: null };

/** Takes the fields out of an answer; null if it holds nothing of this sensor. */
export function logDataOf(history: History, id: string, fields: readonly string[]): LogData | null {
  const series: HistorySeries | undefined = history.series.find(({ sensorId }) => sensorId === id);
  if (!series) return null;
  return {
    step: series.step,
    buckets: Object.fromEntries(fields.map((field) => [field, bucketsOf(series, field)])),
    statistics: Object.fromEntries(
      fields.map((field) => [field, series.fields[field]?.statistics ?? NO_STATISTICS]),
    ),
  };
}

/** Puts a later answer over an earlier one on the same grid; its statistics count. */
export function mergeLogData(older: LogData, newer: LogData): LogData {
  const buckets = Object.fromEntries(
    Object.entries(older.buckets).map(([field, list]) => [
      field,
      mergeBuckets(list, newer.buckets[field] ?? [], older.step / 1000),
    ]),
  );
  return { step: older.step, buckets, statistics: newer.statistics };
}

/** The buckets that one live reading changes, by field. `at` is when it was measured, ms UTC. */
export function bucketsWith(
  data: LogData,
  reading: LiveReading,
  at: number,
): Readonly<Record<string, Bucket>> {
  const t = (Math.floor(at / data.step) * data.step) / 1000;
  const changed: Record<string, Bucket> = {};
  for (const [field, list] of Object.entries(data.buckets)) {
    const value = readingNumber(reading, field);
    if (value === null) continue;
    const standing = list.findLast((bucket) => bucket.t <= t);
    changed[field] = addToBucket(standing?.t === t ? standing : emptyBucket(t), value);
  }
  return changed;
}

/** Where the newest filled bucket begins, ms UTC: a chart that may have missed something asks from here (SUB-5). */
export function newestFilled(data: LogData): number | null {
  let newest: number | null = null;
  for (const list of Object.values(data.buckets)) {
    const last = list.findLast((bucket) => bucket.count > 0);
    if (last && (newest === null || last.t * 1000 > newest)) newest = last.t * 1000;
  }
  return newest;
}

import type { LiveReading } from "@mulkko/shared/live/devices";
import type { History, HistorySeries } from "@mulkko/shared/rest/history";
import { type FieldStatistics, MAX_BUCKETS } from "@mulkko/shared/rest/log";
import { BUCKET_STEPS, DAY } from "@mulkko/shared/rules/bucket-steps";
import { addToBucket, type Bucket, bucketsOf, emptyBucket, mergeBuckets } from "../../chart/bucket.ts";
import { readingNumber } from "../../reading/reading.ts";
import type { Span } from "../range/range.ts";
import { type LogSource, lineId } from "../sources/source.ts";

/** Buckets of lines, by {@link lineId}. */
export type LineBuckets = Readonly<Record<string, readonly Bucket[]>>;

/** Data of a board's charts: lines in API units, all on one grid. */
export interface LogData {
  /** ms */
  readonly step: number;
  readonly buckets: LineBuckets;
  readonly statistics: Readonly<Record<string, FieldStatistics>>;
  /** Share of the range that the relay has not read yet, 0 to 1. */
  readonly unread: number;
}

const NO_STATISTICS: FieldStatistics = { max: null, min: null, avg: null, variance: null };

const seriesOf = (history: History, { id, ...rest }: LogSource): HistorySeries | undefined =>
  history.series.find(
    (series) => series.sensorId === id && series.channel === ("number" in rest ? rest.number : undefined),
  );

/** Select the lines from an answer; null if it contains none of these sources. */
export function logDataOf(
  history: History,
  sources: readonly LogSource[],
  fields: readonly string[],
): LogData | null {
  const buckets: Record<string, readonly Bucket[]> = {};
  const statistics: Record<string, FieldStatistics> = {};
  let step: number | null = null;
  let missing = 0;
  for (const source of sources) {
    const series = seriesOf(history, source);
    if (!series) continue;
    step ??= series.step;
    for (const gap of series.missing ?? []) missing += Date.parse(gap.to) - Date.parse(gap.from);
    for (const field of fields) {
      const id = lineId(source, field);
      buckets[id] = bucketsOf(series, field);
      statistics[id] = series.fields[field]?.statistics ?? NO_STATISTICS;
    }
  }
  if (step === null) return null;
  const asked = (Date.parse(history.to) - Date.parse(history.from)) * sources.length;
  return { step, buckets, statistics, unread: asked > 0 ? Math.min(1, missing / asked) : 0 };
}

/** Merge a later answer over an earlier one on the same grid, with the statistics of the later one. */
export function mergeLogData(older: LogData, newer: LogData): LogData {
  const buckets = Object.fromEntries(
    Object.entries(older.buckets).map(([line, list]) => [
      line,
      mergeBuckets(list, newer.buckets[line] ?? [], older.step / 1000),
    ]),
  );
  return { ...newer, step: older.step, buckets };
}

/**
 * Return the buckets that a live reading of a source changes, by line. `at` is the time of the measurement,
 * ms UTC.
 */
export function bucketsWith(
  data: Pick<LogData, "step" | "buckets">,
  source: LogSource,
  fields: readonly string[],
  reading: LiveReading,
  at: number,
): Readonly<Record<string, Bucket>> {
  const t = (Math.floor(at / data.step) * data.step) / 1000;
  const changed: Record<string, Bucket> = {};
  for (const field of fields) {
    const line = lineId(source, field);
    const list = data.buckets[line];
    const value = readingNumber(reading, field);
    if (value === null || list === undefined) continue;
    const standing = list.findLast((bucket) => bucket.t <= t);
    changed[line] = addToBucket(standing?.t === t ? standing : emptyBucket(t), value);
  }
  return changed;
}

/**
 * Return the start of the newest filled bucket, ms UTC: a chart that may have missed something requests from
 * here (SUB-5).
 */
export function newestFilled({ buckets }: Pick<LogData, "buckets">): number | null {
  const lasts = Object.values(buckets).flatMap((list) => list.findLast(({ count }) => count > 0)?.t ?? []);
  return lasts.length === 0 ? null : Math.max(...lasts) * 1000;
}

/** Return the start of the oldest filled bucket, ms UTC; null without one. */
export function oldestFilled({ buckets }: Pick<LogData, "buckets">): number | null {
  const firsts = Object.values(buckets).flatMap((list) => list.find((bucket) => bucket.count > 0)?.t ?? []);
  return firsts.length === 0 ? null : Math.min(...firsts) * 1000;
}

/** Regular grid over a range; `from` and `to` are multiples of the step. All ms. */
export interface Grid {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly buckets: number;
}

/**
 * Return the finest grid that a chart can show: at most one bucket per CSS pixel.
 *
 * @param width CSS px
 */
export function gridOf(span: Pick<Span, "from" | "to">, width: number): Grid {
  const most = Math.max(1, Math.min(MAX_BUCKETS, Math.floor(width)) - 2);
  const shortest = (span.to - span.from) / most;
  const step = BUCKET_STEPS.find((each) => each >= shortest) ?? Math.ceil(shortest / DAY) * DAY;
  const from = Math.floor(span.from / step) * step;
  const to = Math.max(from + step, Math.ceil(span.to / step) * step);
  return { from, to, step, buckets: (to - from) / step };
}

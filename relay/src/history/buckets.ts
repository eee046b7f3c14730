import { FIELDS, isFieldName } from "@mulkko/shared/catalogue/fields";
import type { HistoryField } from "@mulkko/shared/rest/history";
import type { FieldStatistics } from "@mulkko/shared/rest/log";
import { timeStatistics } from "@mulkko/shared/rules/time-mean";
import type { BucketGrid } from "./slices.ts";

const RADIANS = Math.PI / 180;

/** True for a direction in degrees, which has a circular mean and no minimum or maximum. */
export const isCircular = (field: string): boolean => {
  const spec = isFieldName(field) ? FIELDS[field] : undefined;
  return spec !== undefined && "circular" in spec && spec.circular === true;
};

/** Running statistics of a bucket; the single values are not kept. */
interface Summary {
  count: number;
  min: number;
  max: number;
  mean: number;
  /** Sum of squared distances from the mean (Welford); a plain sum of squares loses precision. */
  spread: number;
  sin: number;
  cos: number;
  last: number;
  lastAt: number;
}

const emptySummary = (): Summary => ({
  count: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  mean: 0,
  spread: 0,
  sin: 0,
  cos: 0,
  last: 0,
  lastAt: Number.NEGATIVE_INFINITY,
});

function addTo(summary: Summary, value: number, at: number): void {
  summary.count += 1;
  const distance = value - summary.mean;
  summary.mean += distance / summary.count;
  summary.spread += distance * (value - summary.mean);
  summary.min = Math.min(summary.min, value);
  summary.max = Math.max(summary.max, value);
  summary.sin += Math.sin(value * RADIANS);
  summary.cos += Math.cos(value * RADIANS);
  if (at >= summary.lastAt) {
    summary.last = value;
    summary.lastAt = at;
  }
}

/** Return degrees in [0, 360); null when the directions cancel out. */
function circularMean(sin: number, cos: number): number | null {
  if (Math.hypot(sin, cos) < 1e-9) return null;
  return (Math.atan2(sin, cos) / RADIANS + 360) % 360;
}

const averageOf = ({ count, sin, cos, mean }: Summary, circular: boolean): number | null => {
  if (count === 0) return null;
  return circular ? circularMean(sin / count, cos / count) : mean;
};

/** Return the statistics of a whole range; mean and variance are weighted by time. */
function statisticsOf(buckets: readonly Summary[], circular: boolean): FieldStatistics {
  const filled = buckets.flatMap((bucket, index) => (bucket.count === 0 ? [] : [{ ...bucket, index }]));
  if (circular) {
    const over = (pick: "sin" | "cos"): number =>
      timeStatistics(
        filled.map(({ index, count, [pick]: sum }) => ({ index, mean: sum / count, variance: 0 })),
      )?.mean ?? 0;
    return { max: null, min: null, avg: circularMean(over("sin"), over("cos")), variance: null };
  }
  const statistics = timeStatistics(
    filled.map(({ index, mean, spread, count }) => ({ index, mean, variance: spread / count })),
  );
  if (!statistics) return { max: null, min: null, avg: null, variance: null };
  return {
    max: filled.reduce((most, { max }) => Math.max(most, max), Number.NEGATIVE_INFINITY),
    min: filled.reduce((least, { min }) => Math.min(least, min), Number.POSITIVE_INFINITY),
    avg: statistics.mean,
    variance: statistics.variance,
  };
}

/** Collects the rows of one sensor into regular buckets; memory grows with the buckets, not with the rows. */
export interface BucketGatherer {
  /** @param at ms UTC; rows outside the grid are skipped */
  add(at: number, values: Readonly<Record<string, number | null>>): void;
  /** Number of rows in each bucket. */
  readonly count: number[];
  fields(): Record<string, HistoryField>;
}

/** @param wanted names of fields; undefined: all fields */
export function gatherBuckets(
  { start, step, count: length }: BucketGrid,
  wanted?: ReadonlySet<string>,
): BucketGatherer {
  const count = Array<number>(length).fill(0);
  const gathered = new Map<string, Summary[]>();

  const fieldOf = (name: string): Summary[] => {
    const known = gathered.get(name);
    if (known) return known;
    const fresh = Array.from({ length }, emptySummary);
    gathered.set(name, fresh);
    return fresh;
  };

  return {
    count,
    add(at, values) {
      const index = Math.floor((at - start) / step);
      if (index < 0 || index >= length) return;
      count[index] = (count[index] ?? 0) + 1;
      for (const [name, value] of Object.entries(values)) {
        if (value === null || (wanted && !wanted.has(name))) continue;
        const bucket = fieldOf(name)[index];
        if (bucket) addTo(bucket, value, at);
      }
    },
    fields() {
      const fields: Record<string, HistoryField> = {};
      for (const [name, buckets] of gathered) {
        const circular = isCircular(name);
        const band = (pick: "min" | "max") =>
          buckets.map((bucket) => (bucket.count === 0 || circular ? null : bucket[pick]));
        fields[name] = {
          min: band("min"),
          max: band("max"),
          avg: buckets.map((bucket) => averageOf(bucket, circular)),
          last: buckets.map((bucket) => (bucket.count === 0 ? null : bucket.last)),
          statistics: statisticsOf(buckets, circular),
        };
      }
      return fields;
    },
  };
}

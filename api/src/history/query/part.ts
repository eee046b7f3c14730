import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { timeStatistics } from "@mulkko/shared/rules/time-mean";
import { EMPTY, merge, type Summary, varianceOf } from "./summary.ts";

/** A requested field. */
export type WantedField = FieldSpec & { readonly name: FieldName };

/** Summary of the rows of a range. */
export interface Part {
  readonly bucket: number;
  /** Start of the range, ms since 1970 UTC. */
  readonly from: number;
  /** Number of rows, whatever their fields. */
  readonly count: number;
  readonly fields: ReadonlyMap<FieldName, Summary>;
}

/** A bucket: its index from the range's start, its rows, and each field over them. */
export interface Bucket {
  readonly index: number;
  readonly count: number;
  readonly fields: ReadonlyMap<FieldName, Summary>;
}

/** Merge parts into their buckets, in order. No two parts of a bucket overlap. */
export function bucketsOf(parts: readonly Part[]): Bucket[] {
  const buckets = new Map<number, { count: number; fields: Map<FieldName, Summary> }>();
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const bucket = buckets.get(part.bucket) ?? { count: 0, fields: new Map<FieldName, Summary>() };
    buckets.set(part.bucket, bucket);
    bucket.count += part.count;
    for (const [name, summary] of part.fields) {
      bucket.fields.set(name, merge(bucket.fields.get(name) ?? EMPTY, summary));
    }
  }
  return [...buckets].map(([index, bucket]) => ({ index, ...bucket }));
}

/** Weight a field over all buckets by time; count, minimum, maximum and last value stay unchanged. */
function overTime(total: Summary, parts: readonly (Summary & { readonly index: number })[]): Summary {
  const known = parts.filter(({ count }) => count > 0);
  const statistics = timeStatistics(
    known.map((part) => ({ index: part.index, mean: part.mean ?? 0, variance: varianceOf(part) ?? 0 })),
  );
  if (!statistics) return total;
  const ofCircle = (pick: "cos" | "sin"): number | null =>
    total[pick] === null
      ? null
      : (timeStatistics(known.map((part) => ({ index: part.index, mean: part[pick] ?? 0, variance: 0 })))
          ?.mean ?? null);
  return {
    ...total,
    mean: statistics.mean,
    spread: statistics.variance * total.count,
    cos: ofCircle("cos"),
    sin: ofCircle("sin"),
  };
}

/**
 * Merge all buckets into one; undefined where there is none. Means and spread are weighted by time, at the
 * resolution of the buckets.
 */
export function totalOf(buckets: readonly Bucket[]): Bucket | undefined {
  const [total] = bucketsOf(
    buckets.map(({ index, count, fields }) => ({ bucket: 0, from: index, count, fields })),
  );
  if (!total) return undefined;
  const fields = new Map(
    [...total.fields].map(([name, summary]) => [
      name,
      overTime(
        summary,
        buckets.flatMap(({ index, fields }) => {
          const part = fields.get(name);
          return part ? [{ ...part, index }] : [];
        }),
      ),
    ]),
  );
  return { ...total, fields };
}

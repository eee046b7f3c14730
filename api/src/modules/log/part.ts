import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { timeStatistics } from "@mulkko/shared/rules/time-mean";
import { EMPTY, merge, type Summary, varianceOf } from "./summary.ts";

/** A field that is asked for. */
export type WantedField = FieldSpec & { readonly name: FieldName };

/** What is known of the rows of a piece. */
export interface Part {
  readonly bucket: number;
  /** Where the piece begins, ms since 1970 UTC. */
  readonly from: number;
  /** Its rows, whatever fields they have. */
  readonly count: number;
  readonly fields: ReadonlyMap<FieldName, Summary>;
}

/** A bucket of a range: its place counted from the range's start, its rows, and each field over them. */
export interface Bucket {
  readonly index: number;
  readonly count: number;
  readonly fields: ReadonlyMap<FieldName, Summary>;
}

/** Puts parts together to the buckets they are of, in order. No two parts of a bucket overlap. */
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

/** A field over all buckets by time; its readings, least, greatest and last stay as they are. */
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
 * All buckets as one: what the range says; undefined where there is none. Means and spread are by time, as finely as the
 * buckets are.
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

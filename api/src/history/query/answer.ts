import { statisticNames } from "@mulkko/shared/rest/log";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { DAY_MS, HOUR_MS } from "../levels.ts";
import { fieldsOfType } from "./columns.ts";
import type { Bucket } from "./part.ts";
import type { Range } from "./range.ts";
import { meanOf, varianceOf } from "./summary.ts";

/** Return `maxCo2`, `minCo2`, `avgCo2`, `co2Variation` for every field with a value in the range. */
export function statisticsAnswer(
  total: Bucket | undefined,
  deviceType: string,
): Record<string, number | null> {
  const answer: Record<string, number | null> = {};
  for (const { name, circular } of fieldsOfType(deviceType)) {
    const summary = total?.fields.get(name);
    if (!summary || summary.count === 0) continue;
    const names = statisticNames(name);
    answer[names.max] = summary.max;
    answer[names.min] = summary.min;
    answer[names.avg] = meanOf(summary, circular === true);
    answer[names.variance] = varianceOf(summary);
  }
  return answer;
}

/** Return regular buckets over a range, including empty ones; directions get no band. */
export function bucketsAnswer(
  buckets: readonly Bucket[],
  range: Range,
  step: number,
  deviceType: string,
  zone: ApiTimeZone,
): object[] {
  const circular = new Set(
    fieldsOfType(deviceType).flatMap(({ name, circular }) => (circular ? [name] : [])),
  );
  const byIndex = new Map(buckets.map((bucket) => [bucket.index, bucket]));
  return Array.from({ length: Math.ceil((range.to - range.from) / step) }, (_, index) => {
    const bucket = byIndex.get(index);
    const fields: Record<string, object> = {};
    for (const [name, summary] of bucket?.fields ?? []) {
      if (summary.count === 0) continue;
      const isCircle = circular.has(name);
      fields[name] = {
        min: isCircle ? null : summary.min,
        max: isCircle ? null : summary.max,
        avg: meanOf(summary, isCircle),
        last: summary.last,
      };
    }
    return { createdDate: zone.toApi(range.from + index * step), count: bucket?.count ?? 0, ...fields };
  });
}

/** From this length on, buckets of an answer are whole hours, ms. */
const COARSE_MS = 2 * HOUR_MS;
/** From this length on, the parts that weight a total are whole hours, ms. */
const COARSE_PARTS_MS = 6 * HOUR_MS;
/** Number of parts that weight the total of a range, where the caller asks for no buckets. */
const TOTAL_PARTS = 300;

/**
 * Return the length of a bucket, ms, for at most this many buckets. Lengths are whole seconds, because times
 * of the API have no smaller part. Longer ones are whole hours, the longest whole days, as the rollups are.
 */
export const stepOf = (range: Range, buckets: number): number => roundedStep(range, buckets, COARSE_MS);

/** Return the length of the parts by which the total of a range is weighted, ms. */
export const totalStepOf = (range: Range): number => roundedStep(range, TOTAL_PARTS, COARSE_PARTS_MS);

function roundedStep(range: Range, parts: number, wholeHoursFrom: number): number {
  const exact = (range.to - range.from) / parts;
  const hours = exact > wholeHoursFrom ? HOUR_MS : 1_000;
  const unit = exact > DAY_MS ? DAY_MS : hours;
  return Math.max(unit, Math.ceil(exact / unit) * unit);
}

import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { statisticNames } from "@mulkko/shared/rest/log";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { fieldsOfType } from "./columns.ts";
import type { Range } from "./range.ts";
import type { Bucket } from "./repository.ts";
import { EMPTY, meanOf, merge, type Summary, varianceOf } from "./summary.ts";

/** Each field over a whole range, out of its buckets. */
export function totalsOf(buckets: readonly Bucket[]): ReadonlyMap<FieldName, Summary> {
  const totals = new Map<FieldName, Summary>();
  for (const { fields } of buckets) {
    for (const [name, summary] of fields) totals.set(name, merge(totals.get(name) ?? EMPTY, summary));
  }
  return totals;
}

/** `maxCo2`, `minCo2`, `avgCo2`, `co2Variation` of every field that has a value in the range. */
export function statisticsAnswer(
  totals: ReadonlyMap<FieldName, Summary>,
  deviceType: string,
): Record<string, number | null> {
  const answer: Record<string, number | null> = {};
  for (const { name, circular } of fieldsOfType(deviceType)) {
    const total = totals.get(name);
    if (!total || total.count === 0) continue;
    const names = statisticNames(name);
    answer[names.max] = total.max;
    answer[names.min] = total.min;
    answer[names.avg] = meanOf(total, circular === true);
    answer[names.variance] = varianceOf(total);
  }
  return answer;
}

/** Regular buckets over a range, the empty ones too; directions get no band. */
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

/** Length of a bucket, whole seconds as times of the API have no smaller part; ms. */
export function stepOf(range: Range, buckets: number): number {
  return Math.max(1_000, Math.ceil((range.to - range.from) / buckets / 1_000) * 1_000);
}

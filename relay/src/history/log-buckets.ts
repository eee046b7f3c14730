import { isFieldName } from "@mulkko/shared/catalogue/fields";
import type { HistoryField, HistorySeries } from "@mulkko/shared/rest/history";
import { type LogBuckets, statisticsOf } from "@mulkko/shared/rest/log";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import type { BucketGrid } from "../core/bucket-grid.ts";
import { isCircular } from "../core/buckets.ts";
import { namedSeries } from "./computed-series.ts";
import type { LogSource } from "./log-source.ts";
import type { HistoryQuestion } from "./question.ts";

const Num = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const FieldBucket = Type.Object({ min: Num, max: Num, avg: Num, last: Num });
type Bucket = Static<typeof LogBuckets>["data"][number] & Readonly<Record<string, unknown>>;

/** Path of the buckets of one sensor (extension `log-buckets`). The end of a range counts whole: its second. */
export function logBucketsPath(id: string, { grid, fields }: HistoryQuestion, zone: ApiTimeZone): string {
  const end = grid.start + grid.count * grid.step;
  const path = apiPath.log(id, zone.toApi(grid.start), zone.toApi(end - 1_000));
  const query = new URLSearchParams({ buckets: String(grid.count) });
  if (fields) query.set("fields", [...fields].join(","));
  return `${path}?${query}`;
}

/** The grid that an answer stands on; null if its buckets are not regular, as over a change of clocks. */
function gridOf(buckets: readonly Bucket[], asked: BucketGrid, zone: ApiTimeZone): BucketGrid | null {
  const times = buckets.map(({ createdDate }) => zone.toInstant(createdDate));
  const [start, second] = times;
  if (start === null || start === undefined) return null;
  const step = second === undefined || second === null ? asked.step : second - start;
  const isRegular = step > 0 && times.every((time, index) => time === start + index * step);
  return isRegular ? { start, step, count: buckets.length } : null;
}

/**
 * One sensor's series out of an answer of the API.
 *
 * @returns null if the answer's buckets are not regular
 */
export function seriesOfBuckets(
  source: LogSource,
  answer: Static<typeof LogBuckets> & Readonly<Record<string, unknown>>,
  { grid: asked, fields: wanted }: HistoryQuestion,
  zone: ApiTimeZone,
): HistorySeries | null {
  const buckets: readonly Bucket[] = answer.data;
  const grid = gridOf(buckets, asked, zone);
  if (!grid) return null;
  const names = new Set(buckets.flatMap((bucket) => Object.keys(bucket).filter(isFieldName)));
  const fields: Record<string, HistoryField> = {};
  for (const name of names) {
    if (wanted && !wanted.has(name)) continue;
    const cells = buckets.map((bucket) => {
      const cell = parse(FieldBucket, bucket[name]);
      return cell.ok ? cell.value : {};
    });
    const circular = isCircular(name);
    const pick = (part: "min" | "max" | "avg" | "last") => cells.map((cell) => cell[part] ?? null);
    const none = cells.map(() => null);
    fields[name] = {
      min: circular ? none : pick("min"),
      max: circular ? none : pick("max"),
      avg: pick("avg"),
      last: pick("last"),
      statistics: statisticsOf(answer, name),
    };
  }
  const start = new Date(grid.start).toISOString();
  return { ...namedSeries(source), start, step: grid.step, count: buckets.map(({ count }) => count), fields };
}

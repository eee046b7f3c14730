import { isFieldName } from "@mulkko/shared/catalogue/fields";
import type { HistoryField, HistorySeries } from "@mulkko/shared/rest/history";
import { type LogBuckets, statisticsOf } from "@mulkko/shared/rest/log";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import type { RowTime } from "../account/time-ahead.ts";
import { apiInstant } from "../upstream/api-instant.ts";
import { isCircular } from "./buckets.ts";
import type { HistoryQuestion } from "./question.ts";
import { type BucketGrid, type LogSource, namedSeries } from "./slices.ts";

const Num = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const FieldBucket = Type.Object({ min: Num, max: Num, avg: Num, last: Num });
type Bucket = Static<typeof LogBuckets>["data"][number] & Readonly<Record<string, unknown>>;

interface BucketTimes {
  readonly zone: ApiTimeZone;
  readonly rowTime: RowTime;
}

/**
 * Return the path of the buckets of one sensor (extension `log-buckets`). A range's end is inclusive to its
 * second.
 */
export function logBucketsPath(id: string, { grid, fields }: HistoryQuestion, zone: ApiTimeZone): string {
  const end = grid.start + grid.count * grid.step;
  const path = apiPath.log(id, zone.toApi(grid.start), zone.toApi(end - 1_000));
  const query = new URLSearchParams({ buckets: String(grid.count) });
  if (fields) query.set("fields", [...fields].join(","));
  return `${path}?${query}`;
}

/**
 * Return the grid of an answer; null if its buckets are irregular, as over a clock change, or contain rows
 * from the future (ONL-6).
 */
function gridOf(
  buckets: readonly Bucket[],
  asked: BucketGrid,
  { zone, rowTime }: BucketTimes,
): BucketGrid | null {
  if (buckets.some(({ count, createdDate }) => count > 0 && rowTime(createdDate) === null)) return null;
  const times = buckets.map(({ createdDate }) => apiInstant(createdDate, zone));
  const [start, second] = times;
  if (start === null || start === undefined) return null;
  const step = second === undefined || second === null ? asked.step : second - start;
  const isRegular = step > 0 && times.every((time, index) => time === start + index * step);
  return isRegular ? { start, step, count: buckets.length } : null;
}

/**
 * Convert an answer of the API to one sensor's series.
 *
 * @returns null if the answer's buckets are irregular, or contain rows from the future
 */
export function seriesOfBuckets(
  source: LogSource,
  answer: Static<typeof LogBuckets> & Readonly<Record<string, unknown>>,
  { grid: asked, fields: wanted }: HistoryQuestion,
  times: BucketTimes,
): HistorySeries | null {
  const buckets: readonly Bucket[] = answer.data;
  const grid = gridOf(buckets, asked, times);
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

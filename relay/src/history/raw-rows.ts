import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { LogEntry, measurementsOf } from "@mulkko/shared/entities/log-entry";
import type { HistorySeries } from "@mulkko/shared/rest/history";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { BucketGrid } from "../core/bucket-grid.ts";
import { gatherBuckets } from "../core/buckets.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import type { HistoryQuestion } from "./question.ts";

const MINUTE_MS = 60_000;

/** An answer to a range: rows beside statistics, or bare. The rows are looked at one by one. */
export const RawRange = Type.Union([
  Type.Array(Type.Unknown()),
  Type.Object({ data: Type.Array(Type.Unknown()) }, { additionalProperties: true }),
]);

// Tens of thousands of rows a request: interpreting the schema for each would hold up the event loop.
const rowSchema = Compile(LogEntry);

/** Parts of a grid's range, ms UTC, each short enough for one request. */
export function slicesOf({ start: from, step, count: buckets }: BucketGrid): { from: number; to: number }[] {
  const { sliceMs } = HISTORY_LIMITS;
  const to = from + step * buckets;
  const count = Math.max(1, Math.ceil((to - from) / sliceMs));
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * sliceMs,
    to: Math.min(to, from + (index + 1) * sliceMs),
  }));
}

/** A range in the API's own words, which know no seconds: the minutes around it. */
export function rawPath(id: string, slice: { from: number; to: number }, zone: ApiTimeZone): string {
  const minute = (instant: number): string => zone.toApi(instant).slice(0, 16);
  const start = Math.floor(slice.from / MINUTE_MS) * MINUTE_MS;
  const end = Math.ceil(slice.to / MINUTE_MS) * MINUTE_MS;
  return apiPath.log(id, minute(start), minute(end));
}

/** One sensor's series, made of raw rows slice by slice. `read` brings the answer to a path. */
export async function seriesOfRows(
  id: string,
  { grid, fields }: HistoryQuestion,
  zone: ApiTimeZone,
  read: (path: string) => Promise<Static<typeof RawRange>>,
): Promise<HistorySeries> {
  const gatherer = gatherBuckets(grid, fields);
  for (const slice of slicesOf(grid)) {
    const answer = await read(rawPath(id, slice, zone));
    for (const row of Array.isArray(answer) ? answer : answer.data) {
      if (!rowSchema.Check(row)) continue;
      const at = zone.toInstant(row.createdDate);
      // Rows at the seam of two slices are in both answers.
      if (at === null || at < slice.from || at >= slice.to) continue;
      const values = Object.entries(measurementsOf(row)).filter(([name]) => isFieldName(name));
      gatherer.add(at, Object.fromEntries(values));
    }
  }
  const start = new Date(grid.start).toISOString();
  return { sensorId: id, start, step: grid.step, count: gatherer.count, fields: gatherer.fields() };
}

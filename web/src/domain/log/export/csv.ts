import { fixed } from "@mulkko/shared/rules/format";
import type { Bucket } from "../../chart/bucket.ts";

/** Value column. */
export interface CsvColumn {
  readonly head: string;
  readonly buckets: readonly Bucket[];
  readonly decimals: number;
  /** Factor from API to display units; default 1. */
  readonly scale?: number;
}

/** Excel recognizes UTF-8 by it. */
const BYTE_ORDER_MARK = "\ufeff";
const LINE_END = "\r\n";

/** Escape a field according to RFC 4180. A text that Excel would read as a formula gets a leading quote. */
function fieldOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Write the means of a chart's buckets: a date `YYYY/MM/DD HH:mm:ss` and a value for each line. Buckets
 * without any value are left out.
 *
 * @param dateHead heading of the first column
 * @param time formats an instant (ms UTC) as `YYYY-MM-DD HH:mm:ss`
 */
export function csvOf(
  dateHead: string,
  columns: readonly CsvColumn[],
  time: (instant: number) => string,
): string {
  const byTime = columns.map(({ buckets }) => new Map(buckets.map((bucket) => [bucket.t, bucket.avg])));
  const times = [...new Set(byTime.flatMap((values) => [...values.keys()]))].sort((a, b) => a - b);
  const lines = [[dateHead, ...columns.map(({ head }) => head)].map(fieldOf).join(",")];
  for (const t of times) {
    const values = columns.map(({ decimals, scale = 1 }, index) => {
      const avg = byTime[index]?.get(t) ?? null;
      return avg === null ? "" : fixed(avg * (scale ?? 1), decimals);
    });
    if (values.every((value) => value === "")) continue;
    lines.push([time(t * 1000).replaceAll("-", "/"), ...values].map(fieldOf).join(","));
  }
  return BYTE_ORDER_MARK + lines.join(LINE_END) + LINE_END;
}

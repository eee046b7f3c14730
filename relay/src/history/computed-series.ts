import type { HistorySeries } from "@mulkko/shared/rest/history";
import { gatherBuckets } from "./buckets.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import type { HistoryQuestion } from "./question.ts";
import { gatherColumns, type RowColumns } from "./row-columns.ts";
import type { LogSource, Span } from "./slices.ts";
import { joined } from "./slices.ts";

const instant = (ms: number): string => new Date(ms).toISOString();

/** Return a series without values, on the grid of the query. */
export function namedSeries({ id, channel }: LogSource): Pick<HistorySeries, "sensorId" | "channel"> {
  return { sensorId: id, ...(channel !== undefined && { channel }) };
}

/**
 * Compute one series from raw rows slice by slice, newest first and a few concurrently. Once `mayAsk`
 * returns false, the series is partial, and `missing` lists the unread ranges.
 */
export async function seriesOfRows(
  source: LogSource,
  { grid, fields }: HistoryQuestion,
  slices: readonly Span[],
  read: (span: Span) => Promise<RowColumns>,
  mayAsk: () => boolean,
): Promise<HistorySeries> {
  const gatherer = gatherBuckets(grid, fields);
  const waiting = [...slices];
  const unread: Span[] = [];
  const readInTurn = async (): Promise<void> => {
    for (let span = waiting.shift(); span !== undefined; span = waiting.shift()) {
      if (mayAsk()) gatherColumns(await read(span), gatherer);
      else unread.push(span);
    }
  };
  await Promise.all(Array.from({ length: HISTORY_LIMITS.atOnce }, readInTurn));
  return {
    ...namedSeries(source),
    start: instant(grid.start),
    step: grid.step,
    count: gatherer.count,
    fields: gatherer.fields(),
    ...(unread.length > 0 && {
      missing: joined(unread).map(({ from, to }) => ({ from: instant(from), to: instant(to) })),
    }),
  };
}

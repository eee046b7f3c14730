const DAY_MS = 86_400_000;

/** Part of a range that one question for raw rows covers, ms: of a device that speaks each 10 s, 43,000 rows. */
export const SLICE_MS = 5 * DAY_MS;

/** A slice of which there are too many rows is asked for in halves, down to this, ms. */
const LEAST_SLICE_MS = 3_600_000;

/** More rows than this are too many for a browser to write into one file. */
export const ROWS_AT_MOST = 600_000;

/** There are more rows than a file is made of. */
export class TooManyRowsError extends Error {
  override readonly name = "TooManyRowsError";
  readonly code = "too-many-rows";
}

/** A row and when it was measured, ms UTC. */
export interface TimedRow {
  readonly at: number;
  readonly row: Readonly<Record<string, unknown>>;
}

export interface SlicesQuery {
  /** ms UTC; `to` is left out. */
  readonly from: number;
  readonly to: number;
  /** One question. It may answer rows of the minutes around its slice too. */
  read(from: number, to: number): Promise<{ rows: readonly TimedRow[]; truncated: boolean }>;
  /** After each answer: ms of the range that have been read. */
  onRead(ms: number): void;
}

/**
 * All raw rows of a range, oldest first, each once, asked for one after another.
 *
 * @throws TooManyRowsError, or what `read` throws
 */
export async function readSlices({ from, to, read, onRead }: SlicesQuery): Promise<TimedRow[]> {
  const found: TimedRow[] = [];
  const take = async (start: number, end: number): Promise<void> => {
    const { rows, truncated } = await read(start, end);
    if (truncated && end - start > LEAST_SLICE_MS) {
      const middle = start + Math.floor((end - start) / 2);
      await take(start, middle);
      return take(middle, end);
    }
    for (const row of rows) if (row.at >= start && row.at < end) found.push(row);
    if (found.length > ROWS_AT_MOST) throw new TooManyRowsError(`over ${ROWS_AT_MOST} rows`);
    onRead(end - from);
  };
  for (let start = from; start < to; start += SLICE_MS) await take(start, Math.min(to, start + SLICE_MS));
  return found.sort((a, b) => a.at - b.at);
}

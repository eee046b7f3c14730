const DAY_MS = 86_400_000;

/** Length of a slice in one request for raw rows, ms: 43,000 rows of a device that reports every 10 s. */
export const SLICE_MS = 5 * DAY_MS;

/** Minimum length of a slice, ms; longer slices with too many rows are halved. */
const LEAST_SLICE_MS = 3_600_000;

/** Maximum number of rows that a browser can write into one file. */
export const ROWS_AT_MOST = 600_000;

/** Thrown when a range has more rows than a file can hold. */
export class TooManyRowsError extends Error {
  override readonly name = "TooManyRowsError";
  readonly code = "too-many-rows";
}

/** Row with its measurement time, ms UTC. */
export interface TimedRow {
  readonly at: number;
  readonly row: Readonly<Record<string, unknown>>;
}

export interface SlicesQuery {
  /** ms UTC; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Send one request. Its answer may include rows of the minutes around the slice. */
  read(from: number, to: number): Promise<{ rows: readonly TimedRow[]; truncated: boolean }>;
  /** Called after each answer with the length of the range read so far, ms. */
  onRead(ms: number): void;
}

/**
 * Read all raw rows of a range in consecutive requests, oldest first, without duplicates.
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

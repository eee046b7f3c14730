import type { Clock } from "@mulkko/shared/rules/clock";

/**
 * Work of one statement, so that inserts run between two; a unit takes about a tenth of a millisecond. It
 * adapts to the duration of the statements.
 */
const FIRST_CHUNK = 250;
const SMALLEST_CHUNK = 1;
const LARGEST_CHUNK = 4_000;
const SLOW_MS = 60;
const QUICK_MS = 30;

/** Return the work of the next statement after one that took `tookMs`. */
export function nextChunk(chunk: number, tookMs: number): number {
  if (tookMs > SLOW_MS) return Math.max(SMALLEST_CHUNK, Math.floor(chunk / 2));
  return tookMs < QUICK_MS ? Math.min(LARGEST_CHUNK, chunk * 2) : chunk;
}

/** Return the end of the chunk that begins at an index; it has at least one item. */
function endOf<T>(all: readonly T[], first: number, size: number, workOf: (one: T) => number): number {
  let work = 0;
  let end = first;
  for (const one of all.slice(first)) {
    work += workOf(one);
    if (end > first && work > size) break;
    end += 1;
  }
  return end;
}

/**
 * Process everything in chunks.
 *
 * @param workOf units of work
 */
export async function inChunks<T, R>(
  clock: Pick<Clock, "monotonic">,
  all: readonly T[],
  workOf: (one: T) => number,
  read: (chunk: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const found: R[] = [];
  let size = FIRST_CHUNK;
  for (let first = 0; first < all.length; ) {
    const end = endOf(all, first, size, workOf);
    const started = clock.monotonic();
    for (const one of await read(all.slice(first, end))) found.push(one);
    size = nextChunk(size, clock.monotonic() - started);
    first = end;
  }
  return found;
}

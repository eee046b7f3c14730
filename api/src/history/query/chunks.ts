import type { Clock } from "@mulkko/shared/rules/clock";

/** Items of the first statement; the number adapts to its duration, so that inserts run between two. */
const FIRST_CHUNK = 250;
const SMALLEST_CHUNK = 1;
const LARGEST_CHUNK = 4_000;
const SLOW_MS = 60;
const QUICK_MS = 30;

/** Return the number of items of the next statement after one that took `tookMs`. */
export function nextChunk(chunk: number, tookMs: number): number {
  if (tookMs > SLOW_MS) return Math.max(SMALLEST_CHUNK, Math.floor(chunk / 2));
  return tookMs < QUICK_MS ? Math.min(LARGEST_CHUNK, chunk * 2) : chunk;
}

/** Process everything in chunks, in order. */
export async function inChunks<T, R>(
  clock: Pick<Clock, "monotonic">,
  all: readonly T[],
  read: (chunk: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const found: R[] = [];
  let size = FIRST_CHUNK;
  for (let first = 0; first < all.length; ) {
    const chunk = all.slice(first, first + size);
    const started = clock.monotonic();
    for (const one of await read(chunk)) found.push(one);
    size = nextChunk(size, clock.monotonic() - started);
    first += chunk.length;
  }
  return found;
}

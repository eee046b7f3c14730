import type { Measured, StoredReading } from "../devices/sensor.ts";

/** Difference of a stated time and the true one that is none, ms: of a clock that drifts by 100 ppm in an hour. */
const SAME_MS = 400;

/** Difference of the clocks of API and device from which the device's may count as wrong, ms (ORD-2: 5 min). */
const DOUBTED_MS = 4 * 60_000;

/** A reading whose time another one has is moved by a millisecond for each (ORD-2), ms. */
const MOVED_MS = 10;

const isApiFarOff = (offsets: readonly number[] | null): boolean =>
  offsets?.some((offset) => Math.abs(offset) > DOUBTED_MS) ?? false;

const isRight = ({ at, statedAt }: Measured): boolean =>
  statedAt !== null && Math.abs(statedAt - at) <= SAME_MS;

/**
 * W-5: return what is wrong with the history of a sensor; null if nothing is.
 *
 * @param apiOffsets differences of a wrong API's clock to true time, ms: where one is large, a right time may count as
 *   wrong, and its reading has the time of its arrival, marked; null: the clock is right
 */
export function unkeptOf(
  measured: readonly Measured[],
  stored: readonly StoredReading[],
  apiOffsets: readonly number[] | null = null,
): string | null {
  const isFarOff = isApiFarOff(apiOffsets);
  const earliest = (at: number): number =>
    apiOffsets === null ? at - 1 : at - SAME_MS + Math.min(...apiOffsets);
  for (const one of measured) {
    const { value, at, statedAt, isAcknowledged } = one;
    const rows = stored.filter((row) => row.value === value);
    if (rows.length > 1) return `the reading ${value} is in the history ${rows.length} times`;
    const [row] = rows;
    if (!row) {
      if (isAcknowledged) return `the reading ${value} was acknowledged, and is not in the history`;
      continue;
    }
    const isAsStated = statedAt !== null && Math.abs(row.at - statedAt) <= MOVED_MS;
    // Without a time, or with one that is not believed, it has the time of its arrival.
    const mayArrive = !isRight(one) || (row.isMarked && isFarOff);
    const isArrival = mayArrive && row.at >= earliest(at);
    if (!isAsStated && !isArrival)
      return `the reading ${value} is in the history ${row.at - at} ms off its time`;
  }
  return null;
}

/** W-5: return how a screen makes a reading younger than it is; null if it does not. */
export function rejuvenated(
  measured: readonly Measured[],
  shown: StoredReading,
  apiOffsets: readonly number[] | null = null,
): string | null {
  const own = measured.find(({ value }) => value === shown.value);
  if (!own) return `shows the reading ${shown.value}, which was never measured`;
  // By how much is not known of a time that is marked.
  if (shown.isMarked && isApiFarOff(apiOffsets)) return null;
  const off = shown.at - own.at;
  return isRight(own) && off > SAME_MS
    ? `shows the reading ${shown.value} as ${off} ms younger than it is`
    : null;
}

/**
 * A gap up to this many times the usual distance between two readings is no silence: the device sends no
 * faster.
 */
const USUAL_TIMES = 2.5;

/** Number of distances on either side of a gap that define the usual distance. */
const NEIGHBOURS = 5;

/** Distance from one bucket with readings to the next one, in buckets. */
interface Distance {
  readonly distance: number;
  /** Usual distance at this place; 0 without other distances. */
  readonly usual: number;
  /** True if longer than usual: there is no reading between the two. */
  readonly isSilence: boolean;
}

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
};

/**
 * Return the usual distance at a place, judged on either side of it, because a device may have sent less
 * often before.
 */
const usualAt = (distances: readonly number[], place: number): number =>
  Math.max(
    median(distances.slice(Math.max(0, place - NEIGHBOURS), place)),
    median(distances.slice(place + 1, place + 1 + NEIGHBOURS)),
  );

/**
 * Judge the distances between buckets with readings, where buckets may be shorter than the time between two
 * readings. The last item is the distance after the last bucket: it has no end, and is as usual as the
 * previous ones that are no silence.
 *
 * @param filled places of the buckets that have readings, ascending
 */
export function distancesOf(filled: readonly number[]): Distance[] {
  if (filled.length === 0) return [];
  const distances = filled.slice(1).map((index, place) => index - (filled[place] ?? 0));
  const judged = distances.map((distance, place) => {
    if (distance === 1) return { distance, usual: 1, isSilence: false };
    const usual = usualAt(distances, place);
    return { distance, usual, isSilence: distance > usual * USUAL_TIMES };
  });
  const usual = judged.filter(({ isSilence }) => !isSilence).map(({ distance }) => distance);
  const after = {
    distance: Number.POSITIVE_INFINITY,
    usual: median(usual.slice(-NEIGHBOURS)),
    isSilence: true,
  };
  return [...judged, after];
}

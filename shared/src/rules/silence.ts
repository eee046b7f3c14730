/** A silence up to this many times the usual distance between two readings is none: the device speaks no faster. */
const USUAL_TIMES = 2.5;

/** Distances on either side of a silence that say what is usual there. */
const NEIGHBOURS = 5;

/** The way from one bucket with readings to the next one, in buckets. */
interface Distance {
  readonly distance: number;
  /** The usual distance at this place; 0 where no other distance tells. */
  readonly usual: number;
  /** Longer than usual: nothing stands between the two. */
  readonly isSilence: boolean;
}

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
};

/** The usual distance at a place, judged on either side of it, as a device may have spoken slower before. */
const usualAt = (distances: readonly number[], place: number): number =>
  Math.max(
    median(distances.slice(Math.max(0, place - NEIGHBOURS), place)),
    median(distances.slice(place + 1, place + 1 + NEIGHBOURS)),
  );

/**
 * Judges the ways between buckets with readings, where buckets may be shorter than the time between two readings. The
 * last item is the way after the last bucket: it has no end and is as usual as those before it that are no silence.
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

/** Positions on a range band, percent of its width. */
export interface BandPosition {
  /** Start of the desired range. */
  start: number;
  end: number;
  /** The value, clamped to the track; null if missing. */
  at: number | null;
  side: "below" | "inside" | "above" | "missing";
}

/** The desired range always fills the middle half, so that bands of different sensors are comparable. */
const START = 25;
const END = 75;

/** Position a value against its desired range; the track ends half a range below and above. */
export function bandPosition(value: number | null, low: number, high: number): BandPosition {
  if (value === null || !Number.isFinite(value) || high <= low)
    return { start: START, end: END, at: null, side: "missing" };
  const at = START + ((value - low) / (high - low)) * (END - START);
  const side = value < low ? "below" : value > high ? "above" : "inside";
  return { start: START, end: END, at: Math.min(99, Math.max(1, at)), side };
}

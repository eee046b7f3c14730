/** Maximum drift to each side, px of a screen of 1920: 24 px from end to end. */
export const DRIFT_PX = 12;

/** Interval between moves, ms. */
export const DRIFT_EVERY_MS = 60_000;

/** Period of each direction, minutes: 29 and 31 have no common divisor. */
const ROUND = { x: 29, y: 31 } as const;

const wave = (minute: number, round: number): number =>
  Math.round(DRIFT_PX * Math.sin((2 * Math.PI * minute) / round));

/** Return the drift of a minute, px of a screen of 1920; prevents burn-in. */
export function driftAt(minute: number): { x: number; y: number } {
  return { x: wave(minute, ROUND.x), y: wave(minute, ROUND.y) };
}

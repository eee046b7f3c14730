/** How far the picture wanders from where it was drawn, px of a screen of 1920 to each side: 24 px from end to end. */
export const DRIFT_PX = 12;

/** How often it moves, ms. */
export const DRIFT_EVERY_MS = 60_000;

/** Minutes until the same place comes again in each direction: 29 and 31 have no common divisor. */
const ROUND = { x: 29, y: 31 } as const;

const wave = (minute: number, round: number): number =>
  Math.round(DRIFT_PX * Math.sin((2 * Math.PI * minute) / round));

/** Where the picture stands in a minute, so that no edge stays burnt into the panel; px of a screen of 1920. */
export function driftAt(minute: number): { x: number; y: number } {
  return { x: wave(minute, ROUND.x), y: wave(minute, ROUND.y) };
}

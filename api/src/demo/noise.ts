import { DAY_MS, farmWallClock, positionIn } from "./local-clock.ts";

const HOUR_MS = 3_600_000;

/** Return a pseudo-random number in [-1, 1), the same for the same two integers. */
function lattice(seed: number, point: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(point + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 31 - 1;
}

/**
 * Return a smooth wave in [-1, 1] without state: the same seed and instant give the same value after every
 * restart.
 *
 * @param hours time between two control points
 */
export function wave(seed: number, instant: number, hours: number): number {
  const place = instant / (hours * HOUR_MS);
  const point = Math.floor(place);
  const share = place - point;
  const ease = share * share * (3 - 2 * share);
  const left = lattice(seed, point);
  return left + (lattice(seed, point + 1) - left) * ease;
}

/** Return the daily swing: 1 at `peakHour` on the farm's wall clock and -1 twelve hours later. */
export function swing(instant: number, peakHour: number): number {
  return Math.cos((2 * Math.PI * (farmWallClock(instant) - peakHour * HOUR_MS)) / DAY_MS);
}

/** Return the elapsed part of the farm's day, from 0 at midnight to just under 1. */
export function dayShare(instant: number): number {
  return positionIn(DAY_MS, farmWallClock(instant)) / DAY_MS;
}

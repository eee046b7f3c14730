import type { Random } from "@mulkko/shared/rules/clock";

/** Draw one of the given things. @throws RangeError if there are none */
export const pick = <T>(random: Random, from: readonly T[]): T => {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
};

/** Draw a whole number. */
export const between = (random: Random, least: number, most: number): number =>
  Math.round(least + random() * (most - least));

/** Draw a length of trouble, ms: short ones, and those beyond the times that the product waits. */
export const troubleMs = (random: Random): number =>
  pick(random, [
    between(random, 1_000, 5_000),
    between(random, 5_000, 20_000),
    between(random, 20_000, 60_000),
    between(random, 60_000, 180_000),
  ]);

/** How far from another happening one is drawn that shall be near it, ms. */
const NEAR_MS = 8_000;

/** Draw a time near another one, both in ms since the start. @param end of the last happening */
export const around = (random: Random, at: number, end: number): number =>
  Math.round(Math.min(end, Math.max(0, at + between(random, -NEAR_MS, NEAR_MS))));

import { seededRandom } from "@mulkko/shared/testing/random";
import { type Static, Type } from "typebox";
import { between, pick } from "./draw.ts";

/** Automatic mode of a valve, and the soil of its bed. Moisture in percent, its change in percent a minute. */
export const AutomaticPlan = Type.Object({
  valve: Type.Integer({ minimum: 1 }),
  /** Absent: no such bound. */
  lowerBound: Type.Optional(Type.Number()),
  upperBound: Type.Optional(Type.Number()),
  /** Differs from the lengths that people want, as that of other modes. */
  runMinutes: Type.Integer({ minimum: 1 }),
  /** Moisture at the begin. */
  moisture: Type.Number(),
  /** While the bed gets water. */
  rise: Type.Number(),
  /** While it gets none. */
  fall: Type.Number(),
});
export type AutomaticPlan = Static<typeof AutomaticPlan>;

/** A stream of its own, so that everything else of a world stays as it was. */
const STREAM = 61_000_002;
/** Share of the worlds with a free valve that have it in automatic mode. */
const SHARE = 0.8;
/** Share of those without one, in which automatic takes the place of another mode. */
const INSTEAD = 0.3;

/**
 * Draw an automatic mode for a world whose farm API carries out modes; null: none.
 *
 * @param taken valves with another mode
 */
export function drawAutomatic(seed: number, valves: number, taken: readonly number[]): AutomaticPlan | null {
  const random = seededRandom(seed + STREAM);
  const free = Array.from({ length: valves }, (_, place) => place + 1).filter((one) => !taken.includes(one));
  if (random() >= (free.length > 0 ? SHARE : INSTEAD)) return null;
  const bounds = pick(random, [
    { lowerBound: 25 },
    { upperBound: 30 },
    { lowerBound: 25, upperBound: 30 },
    { lowerBound: 26, upperBound: 28 },
  ]);
  return {
    valve: free.length > 0 ? pick(random, free) : valves,
    ...bounds,
    runMinutes: between(random, 2, 4),
    moisture: between(random, 240, 280) / 10,
    rise: between(random, 10, 45) / 10,
    fall: between(random, 4, 14) / 10,
  };
}

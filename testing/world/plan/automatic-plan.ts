import { seededRandom } from "@mulkko/shared/testing/random";
import { type Static, Type } from "typebox";
import { between, pick, troubleMs } from "./draw.ts";

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
const TROUBLE_STREAM = 61_000_004;
/** Share of the worlds with automatic mode whose farm API is killed once more, or has trouble with its database. */
const TROUBLED = 0.6;
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

type Drawn = { readonly at: number } & (
  | { readonly kind: "kill"; readonly machine: "api"; readonly ms: number }
  | { readonly kind: "store"; readonly how: "away" | "full" | "read-only"; readonly ms: number }
);

/** Draw what happens to the farm API of a world with automatic mode, beside what happens already: AUTO-9. */
export function drawAutomaticTroubles(seed: number, end: number): readonly Drawn[] {
  const random = seededRandom(seed + TROUBLE_STREAM);
  if (random() >= TROUBLED) return [];
  return Array.from({ length: between(random, 1, 3) }, (): Drawn => {
    const at = between(random, 0, end);
    if (random() < 0.6) return { at, kind: "kill", machine: "api", ms: between(random, 1_000, 25_000) };
    const how = pick(random, ["away", "full", "read-only"] as const);
    return { at, kind: "store", how, ms: troubleMs(random) };
  });
}

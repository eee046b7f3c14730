import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";

/** Machines that can fail. */
export const FAILING = ["api", "relay", "controller"] as const;
export type Failing = (typeof FAILING)[number];

/** Lines that can fail, by their ends. */
export const LINES = ["phone-relay", "relay-api", "relay-broker", "controller-broker"] as const;
export type LineName = (typeof LINES)[number];

/** One thing that happens; `at` and all lengths in ms since the start. Valves are counted from 1. */
export type Happening = { readonly at: number } & (
  | { readonly kind: "open"; readonly valve: number; readonly seconds: number }
  | { readonly kind: "close"; readonly valve: number }
  /** The person takes back whatever has no answer. */
  | { readonly kind: "take-back" }
  | { readonly kind: "reload" }
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "hand"; readonly valve: number; readonly open: boolean }
  | {
      readonly kind: "hold";
      readonly line: LineName;
      readonly direction: "there" | "back" | "both";
      readonly ms: number;
    }
  | { readonly kind: "cut"; readonly line: LineName; readonly ms: number }
  | { readonly kind: "slow"; readonly line: LineName; readonly byMs: number; readonly ms: number }
  | { readonly kind: "kill"; readonly machine: Failing; readonly ms: number }
  | { readonly kind: "freeze"; readonly machine: Failing; readonly ms: number }
  | { readonly kind: "stick"; readonly valve: number }
);

/** How the controller of a world is made. */
export interface ControllerKind {
  readonly reportMs: number;
  readonly hasClock: boolean;
  readonly hasWill: boolean;
  readonly turnMs: number;
}

/** A world before anything happens in it, and all that will. */
export interface Plan {
  readonly seed: number;
  readonly lengthMs: number;
  readonly controller: ControllerKind;
  readonly happenings: readonly Happening[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The last part of a world is quiet, so that what must end by itself can be seen to end. */
const QUIET_MS = 3 * MINUTE;

const pick = <T>(random: Random, from: readonly T[]): T => {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
};

const between = (random: Random, least: number, most: number): number =>
  Math.round(least + random() * (most - least));

/** Lengths of trouble: short ones, and those beyond the times that the product waits. */
const troubleMs = (random: Random): number =>
  pick(random, [
    between(random, 1_000, 5_000),
    between(random, 5_000, 20_000),
    between(random, 20_000, 60_000),
    between(random, 60_000, 180_000),
  ]);

type WithoutTime<H> = H extends Happening ? Omit<H, "at"> : never;
type Drawn = WithoutTime<Happening>;
type Kind = readonly [weight: number, draw: (random: Random, valves: number) => Drawn];

/** Deeds of people. */
const DEEDS: readonly Kind[] = [
  [
    6,
    (random, valves) => ({
      kind: "open",
      valve: between(random, 1, valves),
      seconds: pick(random, [60, 300, 900]),
    }),
  ],
  [5, (random, valves) => ({ kind: "close", valve: between(random, 1, valves) })],
  [1, () => ({ kind: "take-back" })],
  [1, () => ({ kind: "reload" })],
  [2, (random) => ({ kind: "sleep", ms: troubleMs(random) })],
  [2, (random, valves) => ({ kind: "hand", valve: between(random, 1, valves), open: random() < 0.7 })],
];

/** Faults of lines and machines. */
const FAULTS: readonly Kind[] = [
  [
    6,
    (random) => ({
      kind: "hold",
      line: pick(random, LINES),
      direction: pick(random, ["there", "back", "both"]),
      ms: troubleMs(random),
    }),
  ],
  [4, (random) => ({ kind: "cut", line: pick(random, LINES), ms: troubleMs(random) })],
  [
    4,
    (random) => ({
      kind: "slow",
      line: pick(random, LINES),
      byMs: between(random, 200, 3_000),
      ms: troubleMs(random),
    }),
  ],
  [3, (random) => ({ kind: "kill", machine: pick(random, FAILING), ms: between(random, 1_000, 30_000) })],
  [1.5, (random) => ({ kind: "freeze", machine: pick(random, FAILING), ms: troubleMs(random) })],
  [1, (random, valves) => ({ kind: "stick", valve: between(random, 1, valves) })],
];

function draw(kinds: readonly Kind[], random: Random, valves: number): Drawn {
  let left = random() * kinds.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, one] of kinds) {
    left -= weight;
    if (left < 0) return one(random, valves);
  }
  throw new RangeError("nothing to draw");
}

/**
 * Draw a world. What happens comes in bursts, because faults hurt where they meet.
 *
 * @param minutes length of the world
 */
export function drawPlan(seed: number, minutes = 30, valves = 2): Plan {
  const random = seededRandom(seed);
  const controller: ControllerKind = {
    reportMs: pick(random, [10 * SECOND, 30 * SECOND, 60 * SECOND]),
    hasClock: random() < 0.8,
    hasWill: random() < 0.5,
    turnMs: pick(random, [200, 1_400, 3_000]),
  };
  const lengthMs = minutes * MINUTE;
  const happenings: Happening[] = [];
  const end = lengthMs - QUIET_MS;
  let at = between(random, SECOND, 20 * SECOND);
  const add = (kinds: readonly Kind[], afterMs: number): void => {
    at += afterMs;
    if (at < end) happenings.push({ at, ...draw(kinds, random, valves) });
  };
  while (at < end) {
    // A person does something, something goes wrong, and people go on.
    if (random() < 0.7) add(DEEDS, 0);
    const faults = pick(random, [0, 1, 1, 1, 2, 2]);
    for (let one = 0; one < faults; one += 1) add(FAULTS, between(random, 0, 4 * SECOND));
    const deeds = between(random, 1, 4);
    for (let one = 0; one < deeds; one += 1) {
      add(
        DEEDS,
        pick(random, [
          between(random, 0, 500),
          between(random, 0, 3 * SECOND),
          between(random, 0, 3 * SECOND),
          between(random, 5 * SECOND, 40 * SECOND),
        ]),
      );
    }
    at += pick(random, [between(random, 0, 20 * SECOND), between(random, 20 * SECOND, 90 * SECOND)]);
  }
  return { seed, lengthMs, controller, happenings };
}

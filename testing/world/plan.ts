import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { type Static, Type } from "typebox";

/** Machines that can fail. */
export const FAILING = ["api", "relay", "controller", "sensor"] as const;
export type Failing = (typeof FAILING)[number];

/** Lines that can fail, by their ends. */
export const LINES = [
  "phone-relay",
  "relay-api",
  "relay-broker",
  "controller-broker",
  "sensor-broker",
] as const;
export type LineName = (typeof LINES)[number];

const Ms = Type.Number({ minimum: 0 });
const line = Type.Enum(LINES);
const machine = Type.Enum(FAILING);
const valve = Type.Integer({ minimum: 1 });

/** One thing that happens; `at` and all lengths in ms since the start. Valves are counted from 1. */
export const Happening = Type.Intersect([
  Type.Object({ at: Ms }),
  Type.Union([
    Type.Object({ kind: Type.Literal("open"), valve, seconds: Type.Number() }),
    Type.Object({ kind: Type.Literal("close"), valve }),
    /** The person takes back whatever has no answer. */
    Type.Object({ kind: Type.Literal("take-back") }),
    Type.Object({ kind: Type.Literal("reload") }),
    Type.Object({ kind: Type.Literal("sleep"), ms: Ms }),
    /** Her sessions are ended elsewhere; she signs in again after a while. */
    Type.Object({ kind: Type.Literal("shut-out"), ms: Ms }),
    Type.Object({ kind: Type.Literal("hand"), valve, open: Type.Boolean() }),
    Type.Object({
      kind: Type.Literal("hold"),
      line,
      direction: Type.Enum(["there", "back", "both"]),
      ms: Ms,
    }),
    Type.Object({ kind: Type.Literal("cut"), line, ms: Ms }),
    Type.Object({ kind: Type.Literal("slow"), line, byMs: Ms, ms: Ms }),
    Type.Object({ kind: Type.Literal("kill"), machine, ms: Ms }),
    Type.Object({ kind: Type.Literal("freeze"), machine, ms: Ms }),
    Type.Object({ kind: Type.Literal("stick"), valve }),
  ]),
]);
export type Happening = Static<typeof Happening>;

/** How the controller of a world is made. */
export const ControllerKind = Type.Object({
  reportMs: Ms,
  hasClock: Type.Boolean(),
  hasWill: Type.Boolean(),
  turnMs: Ms,
});
export type ControllerKind = Static<typeof ControllerKind>;

/** How the sensor of a world is made. */
export const SensorKind = Type.Object({ reportMs: Ms, hasClock: Type.Boolean() });
export type SensorKind = Static<typeof SensorKind>;

/** A world before anything happens in it, and all that will. */
export const Plan = Type.Object({
  seed: Type.Integer(),
  lengthMs: Ms,
  controller: ControllerKind,
  /** Absent in stored worlds without a sensor. */
  sensor: Type.Optional(SensorKind),
  happenings: Type.Array(Happening),
});
export type Plan = Static<typeof Plan>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The last part of a world is quiet, so that what must end by itself can be seen to end. */
const QUIET_MS = 6 * MINUTE;

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
  [0.7, (random) => ({ kind: "shut-out", ms: between(random, 10_000, 60_000) })],
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

/** Delay from one deed of a burst to the next: at once, soon, or in a while. */
const nextMs = (random: Random): number =>
  pick(random, [
    between(random, 0, 500),
    between(random, 0, 3 * SECOND),
    between(random, 0, 3 * SECOND),
    between(random, 5 * SECOND, 40 * SECOND),
  ]);

/** Share of bursts whose faults are all of one line: two faults of one way hurt more than two of two. */
const FOCUSED = 0.4;
/** Share of bursts that go on where their last trouble ends: much is decided there. */
const ENDED = 0.5;

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
  const sensor: SensorKind = {
    reportMs: pick(random, [5 * SECOND, 20 * SECOND, 60 * SECOND]),
    hasClock: random() < 0.7,
  };
  const lengthMs = minutes * MINUTE;
  const happenings: Happening[] = [];
  const end = lengthMs - QUIET_MS;
  let at = between(random, SECOND, 20 * SECOND);
  /** End of the last trouble of the burst. */
  let troubledUntil = 0;
  const add = (drawn: Drawn, afterMs: number): void => {
    at += afterMs;
    if (at >= end) return;
    happenings.push({ at, ...drawn });
    if ("ms" in drawn) troubledUntil = at + drawn.ms;
  };
  const fault = (line: LineName | null): Drawn => {
    const drawn = draw(FAULTS, random, valves);
    return line !== null && "line" in drawn ? { ...drawn, line } : drawn;
  };
  const deeds = (count: number): void => {
    for (let one = 0; one < count; one += 1) add(draw(DEEDS, random, valves), nextMs(random));
  };
  while (at < end) {
    // A person does something, something goes wrong, people go on, and it ends.
    if (random() < 0.7) add(draw(DEEDS, random, valves), 0);
    const line = random() < FOCUSED ? pick(random, LINES) : null;
    const faults = pick(random, [0, 1, 1, 1, 2, 2]);
    for (let one = 0; one < faults; one += 1) add(fault(line), between(random, 0, 4 * SECOND));
    deeds(between(random, 1, 4));
    if (random() < ENDED && troubledUntil > at) {
      at = Math.max(at, troubledUntil - between(random, 0, 4 * SECOND));
      if (random() < 0.5) add(fault(line), between(random, 0, 5 * SECOND));
      deeds(between(random, 1, 2));
    }
    at += pick(random, [between(random, 0, 20 * SECOND), between(random, 20 * SECOND, 90 * SECOND)]);
  }
  return { seed, lengthMs, controller, sensor, happenings };
}

import type { Random } from "@mulkko/shared/rules/clock";
import { type Static, Type } from "typebox";

const Ms = Type.Number({ minimum: 0 });

/**
 * Memory of a meter's total. `register`: a mechanical one, which counts without power. `ram`: it begins again at 0.
 * `flash`: it goes on from its last report.
 */
const MEMORIES = ["register", "ram", "flash"] as const;

/** How the flow meter of a world is made, and which valves it measures. */
export const MeterKind = Type.Object({
  reportMs: Ms,
  hasClock: Type.Boolean(),
  /** Its clock is ahead by so much, ms. */
  offsetMs: Type.Number(),
  /** False: it sends with QoS 0. */
  repeats: Type.Boolean(),
  memory: Type.Enum(MEMORIES),
  /** Litres of one count. */
  unit: Type.Number({ exclusiveMinimum: 0 }),
  /** Litres on it at the start. */
  total: Type.Number({ minimum: 0 }),
  /** Interval of its messages about its pump alone; absent: it sends none. */
  statusMs: Type.Optional(Ms),
  /** Numbers of its valves, which are linked to it. */
  valves: Type.Array(Type.Integer({ minimum: 1 })),
  /** Flow of each valve of the world while it is open, L/min. */
  flows: Type.Array(Type.Number({ exclusiveMinimum: 0 })),
  /** The owner has set the largest flow of its valves. */
  isFlowSet: Type.Boolean(),
});
export type MeterKind = Static<typeof MeterKind>;

/** Trouble of a meter and of its line. */
export type MeterTrouble =
  | { readonly at: number; readonly kind: "kill" | "freeze"; readonly machine: "meter"; readonly ms: number }
  | { readonly at: number; readonly kind: "cut"; readonly line: "meter-broker"; readonly ms: number }
  | {
      readonly at: number;
      readonly kind: "hold";
      readonly line: "meter-broker";
      readonly direction: "there" | "back" | "both";
      readonly ms: number;
    }
  | {
      readonly at: number;
      readonly kind: "slow";
      readonly line: "meter-broker";
      readonly byMs: number;
      readonly ms: number;
    };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Share of worlds that have a meter. */
const METERED = 0.7;

const pick = <T>(random: Random, from: readonly [T, ...T[]]): T =>
  from[Math.floor(random() * from.length)] ?? from[0];

const between = (random: Random, least: number, most: number): number =>
  Math.round(least + random() * (most - least));

/** Draw the meter of a world with two valves; null for a world without one. */
export function drawMeter(random: Random): MeterKind | null {
  if (random() >= METERED) return null;
  const flow = pick(random, [6, 12, 20, 45]);
  const hasStatus = random() < 0.5;
  return {
    reportMs: pick(random, [
      10 * SECOND,
      10 * SECOND,
      10 * SECOND,
      20 * SECOND,
      MINUTE,
      150 * SECOND,
      5 * MINUTE,
    ]),
    hasClock: random() < 0.6,
    offsetMs: pick(random, [0, 0, 0, 0, -30 * SECOND, -8 * SECOND, 1_500, 30 * SECOND]),
    repeats: random() < 0.7,
    memory: pick(random, ["register", "register", "ram", "flash"]),
    unit: pick(random, [0.1, 0.5, 1]),
    total: pick(random, [0, 40, 8_431, 65_000]),
    ...(hasStatus && { statusMs: pick(random, [15 * SECOND, 45 * SECOND, 70 * SECOND]) }),
    valves: pick(random, [[1], [1, 2], [1, 2]]),
    flows: [flow, pick(random, [flow, flow, 12])],
    isFlowSet: random() < 0.6,
  };
}

/** Draw what goes wrong with a meter until a time, ms since the start. */
export function drawMeterTroubles(
  random: Random,
  { memory }: MeterKind,
  endMs: number,
): readonly MeterTrouble[] {
  // Of a counter that loses something with the power, a power cut is of interest.
  const cuts = memory === "register" ? 0 : 1;
  const count = cuts + pick(random, [0, 0, 1, 2]);
  const troubles: MeterTrouble[] = [];
  for (let one = 0; one < count; one += 1) {
    const at = between(random, 10 * SECOND, endMs);
    const ms = pick(random, [
      between(random, 2 * SECOND, 30 * SECOND),
      between(random, 30 * SECOND, 3 * MINUTE),
    ]);
    const kind =
      one < cuts ? "kill" : pick(random, ["kill", "freeze", "cut", "hold", "hold", "slow"] as const);
    if (kind === "kill" || kind === "freeze") troubles.push({ at, kind, machine: "meter", ms });
    else if (kind === "cut") troubles.push({ at, kind, line: "meter-broker", ms });
    else if (kind === "slow")
      troubles.push({ at, kind, line: "meter-broker", byMs: between(random, 200, 3_000), ms });
    else {
      const direction = pick(random, ["there", "back", "both"] as const);
      troubles.push({ at, kind, line: "meter-broker", direction, ms });
    }
  }
  return troubles;
}

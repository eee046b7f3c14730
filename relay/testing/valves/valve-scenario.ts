import fc from "fast-check";
import type { FarmKind, Mood } from "./fake-farm.ts";

/** Events that may happen to a valve. Times are ms. */
export type Happening =
  | { do: "open"; seconds: number }
  /** An opening commanded long ago that arrives only now. Its sender may withdraw it before or after. */
  | { do: "late-open"; seconds: number; lateMs: number }
  | { do: "withdraw" }
  | { do: "close" }
  | { do: "close-all" }
  | { do: "command-again" }
  | { do: "pass"; ms: number }
  | { do: "mood"; mood: Mood }
  | { do: "link"; up: boolean }
  | { do: "drop"; on: boolean }
  | { do: "repeat"; on: boolean }
  | { do: "obey"; ms: number }
  /** Delay the execution of commands sent from now on. */
  | { do: "queue"; ms: number }
  | { do: "turn"; open: boolean; by: "hand" | "mode" }
  | { do: "restart"; downMs: number }
  | { do: "takeover"; how: "dies" | "stops" }
  | { do: "wake" }
  | { do: "store"; failing: boolean }
  | { do: "lose-store" }
  | { do: "jump"; ms: number };

export interface Scenario {
  readonly kind: FarmKind;
  readonly happenings: readonly Happening[];
}

const moods: Mood[] = ["ok", "slow", "lost-done", "lost-undone", "refuse", "down"];
const HOUR = 3_600_000;
/** Longest delay of a command in a scenario. */
export const QUEUE_MS = 300_000;

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("open" as const), seconds: fc.integer({ min: 1, max: 90 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("late-open" as const),
      seconds: fc.integer({ min: 1, max: 90 }),
      lateMs: fc.integer({ min: 0, max: 45_000 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "withdraw" as const }) },
  { weight: 4, arbitrary: fc.constant({ do: "close" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "close-all" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "command-again" as const }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 30_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 1_000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("mood" as const), mood: fc.constantFrom(...moods) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("link" as const), up: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("drop" as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("repeat" as const), on: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("obey" as const), ms: fc.integer({ min: 0, max: 8_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("queue" as const),
      ms: fc.constantFrom(0, 0, 20_000, 65_000, 180_000, QUEUE_MS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("turn" as const),
      open: fc.boolean(),
      by: fc.constantFrom("hand" as const, "mode" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("restart" as const),
      downMs: fc.integer({ min: 0, max: 40_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("takeover" as const),
      how: fc.constantFrom("dies" as const, "stops" as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "wake" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("store" as const), failing: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ do: "lose-store" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("jump" as const),
      ms: fc.integer({ min: -2 * HOUR, max: 2 * HOUR }),
    }),
  },
);

/** Scenarios of up to 18 events around one valve, with every kind of farm API. */
export const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  kind: fc.constantFrom<FarmKind>(
    { reportsDetails: true, timesRuns: true },
    { reportsDetails: true, timesRuns: false },
    { reportsDetails: false, timesRuns: false },
  ),
  happenings: fc.array(happening, { minLength: 3, maxLength: 18 }),
});

import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Plan } from "./plan/plan.ts";
import type { Watch } from "./world.ts";

const HOUR_MS = 3_600_000;
const MB = 1e6;
/** Spaces of the heap with what a program keeps; the others hold its code, which the engine compiles again for hours. */
const SPACES_OF_OBJECTS = ["old_space", "large_object_space"];

const objectBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => SPACES_OF_OBJECTS.includes(space_name))
    .reduce((bytes, { space_used_size }) => bytes + space_used_size, 0);

/** Return a plan in which no machine dies: what a process has held for long is seen in one that lives. */
export const withoutDeaths = (plan: Plan): Plan => ({
  ...plan,
  happenings: plan.happenings.filter(({ kind }) => kind !== "kill" && kind !== "restart"),
});

/**
 * By how much the heap of a world may grow, MB an hour: its own records grow (presses, turns of the valves), and the farm
 * API's tables do, whose nightly jobs do not run in it.
 */
const GROWS_BY = 0.25;
/** Length of a world from which this is held against it: what is bounded has reached its bound by half of it. */
const HOURS = 16;

/** Return the slope of the line that fits the second half of some hours best, MB an hour; null: there are fewer than four. */
export function riseOf(hours: readonly number[]): number | null {
  const half = hours.slice(Math.ceil(hours.length / 2));
  if (half.length < 2) return null;
  const mean = half.reduce((sum, heap) => sum + heap, 0) / half.length;
  const middle = (half.length - 1) / 2;
  const rise = half.reduce((sum, heap, hour) => sum + (hour - middle) * (heap - mean), 0);
  return rise / half.reduce((sum, _, hour) => sum + (hour - middle) ** 2, 0);
}

/** W-11, in words; null if it holds, or the world was shorter than 16 hours. @param hours what its objects take, MB */
export function growthOf(hours: readonly number[]): string | null {
  const perHour = riseOf(hours);
  if (perHour === null || hours.length <= HOURS || perHour <= GROWS_BY) return null;
  return `its process holds ${perHour.toFixed(2)} MB more each hour`;
}

/** The heap of a world, hour by hour of its time: W-11. */
export class Growth {
  readonly #say: (line: string) => void;
  readonly #collect: () => void;
  readonly #hours: number[] = [];

  constructor(say: (line: string) => void) {
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    if (typeof collect !== "function") throw new Error("this Node lets no one collect garbage");
    this.#collect = () => void collect();
    this.#say = say;
  }

  /** Note the heap, once an hour. */
  readonly watch: Watch = (sinceMs, forgetReports) => {
    if (sinceMs < this.#hours.length * HOUR_MS) return;
    forgetReports();
    // The second time for what the first one found to be held by garbage only.
    this.#collect();
    this.#collect();
    const heap = objectBytes() / MB;
    this.#say(`${this.#hours.length} h: ${heap.toFixed(1)} MB`);
    this.#hours.push(heap);
  };

  /** Return what W-11 says of it; null: it holds. */
  get violation(): string | null {
    return growthOf(this.#hours);
  }

  /** Return by how much the objects grew in the second half, MB an hour; null: the world was shorter than four hours. */
  get perHour(): number | null {
    return riseOf(this.#hours);
  }
}

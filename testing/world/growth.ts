import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Plan } from "./plan/plan.ts";

const HOUR_MS = 3_600_000;
const MB = 1e6;

/** Return a plan in which no machine dies: what a process has held for long is seen in one that lives. */
export const withoutDeaths = (plan: Plan): Plan => ({
  ...plan,
  happenings: plan.happenings.filter(({ kind }) => kind !== "kill" && kind !== "restart"),
});

/**
 * The heap of a world, hour by hour of its time. The world's own memory is in it (story, presses,
 * logs), so this is a figure to look at, and to compare, not a verdict.
 */
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

  /** Note the time since the start of the world, ms. */
  note(sinceMs: number): void {
    if (sinceMs < this.#hours.length * HOUR_MS) return;
    this.#collect();
    const heap = process.memoryUsage().heapUsed / MB;
    this.#say(`${this.#hours.length} h: ${heap.toFixed(1)} MB`);
    this.#hours.push(heap);
  }

  /** Return by how much the heap grew in the second half, MB an hour; null: the world was shorter than four hours. */
  get perHour(): number | null {
    const half = this.#hours.slice(Math.ceil(this.#hours.length / 2));
    const [first] = half;
    const last = half.at(-1);
    if (half.length < 2 || first === undefined || last === undefined) return null;
    return (last - first) / (half.length - 1);
  }
}

import type { Valve } from "../devices/truth.ts";
import type { Watering } from "../plan/plan.ts";
import { occurrences } from "../plan/zones.ts";

/** Time for which a start may be late (docs/devices.md), and a look. */
const LATE_MS = 62_000;
const MINUTE = 60_000;
/** Drift of a clock in a world, ms: 100 ppm of some hours. */
const DRIFT_MS = 1_000;

/** One start that a mode has planned. */
export interface PlannedStart {
  readonly valve: Valve;
  /** ms UTC; once it has happened by a wrong clock, the earliest time at which its order may have been sent. */
  at: number;
  readonly runMs: number;
  hasHappened: boolean;
  /** Return true if its run may end now, before its time. Absent: it may not. */
  readonly mayEndEarly?: () => boolean;
}

/** The waterings that the modes of a world have planned. */
export class Schedule {
  readonly #starts: readonly PlannedStart[];
  readonly #nextOf: ReadonlyMap<Valve, (from: number) => number>;

  /**
   * @param start when the modes were switched on, at a whole minute
   * @param zone of the account; null: no watering has a time of day
   */
  constructor(
    waterings: readonly (Omit<Watering, "valve"> & { readonly valve: Valve })[],
    start: number,
    end: number,
    zone: string | null,
  ) {
    this.#nextOf = new Map(
      waterings.flatMap(({ valve, onTime }) => {
        if (zone === null || onTime === undefined) return [];
        // Days last up to 25 hours.
        const next = (from: number): number =>
          occurrences(zone, onTime, from, from + 26 * 60 * MINUTE)[0] ?? Number.POSITIVE_INFINITY;
        return [[valve, next] as const];
      }),
    );
    this.#starts = waterings.flatMap(({ valve, mode, minutes, runMinutes, onTime }) => {
      const runMs = runMinutes * MINUTE;
      if (zone !== null && onTime !== undefined) {
        const at = occurrences(zone, onTime, start, end);
        return at.map((one) => ({ valve, at: one, runMs, hasHappened: false }));
      }
      const step = minutes * MINUTE;
      const times = [];
      for (let at = start + step; at < end; at += step) times.push(at);
      const wanted = mode === "reservation" ? times.slice(0, 1) : times;
      return wanted.map((at) => ({ valve, at, runMs, hasHappened: false }));
    });
  }

  /** Return the next start of a valve with a time of day, at or after an instant, ms UTC; null for other valves. */
  nextOf(valve: Valve, from: number): number | null {
    return this.#nextOf.get(valve)?.(from) ?? null;
  }

  /** Return the starts that a period has planned for a valve, oldest first; empty for a reservation. */
  periodOf(valve: Valve): readonly PlannedStart[] {
    const starts = this.#starts.filter((one) => one.valve === valve);
    return starts.length > 1 && !this.#nextOf.has(valve) ? starts : [];
  }

  /** True if a valve's mode opens it for runs of this length. */
  hasRunsOf(valve: Valve, runSeconds: number): boolean {
    return this.#starts.some((one) => one.valve === valve && one.runMs === runSeconds * 1_000);
  }

  /**
   * Return the start that an opening now may be; null where none is due.
   *
   * @param order when it arrives, when something last kept orders from the valve, so that they arrive later, and the
   *   earliest time at which it may have been sent; all ms UTC
   * @param clockMs by how much the clock of the modes may be off, or may have been, either way
   */
  dueAt(
    valve: Valve,
    { now, heldAt, sentFrom }: { readonly now: number; readonly heldAt: number; readonly sentFrom: number },
    clockMs: number,
  ): PlannedStart | null {
    if (clockMs > 0) {
      const latest = Math.max(heldAt, now) + clockMs + DRIFT_MS;
      const planned = this.#starts.find((one) => one.valve === valve && !one.hasHappened && latest >= one.at);
      if (planned) planned.at = sentFrom;
      return planned ?? null;
    }
    const isDue = ({ at, hasHappened }: PlannedStart): boolean =>
      now >= at && (now <= at + LATE_MS || (!hasHappened && heldAt >= at));
    return this.#starts.find((one) => one.valve === valve && isDue(one)) ?? null;
  }

  /** Return the run of a start that has happened and is not over; null where there is none. */
  runningAt(valve: Valve, now: number): PlannedStart | null {
    const isOf = ({ at, runMs }: PlannedStart): boolean => now >= at && now <= at + runMs + LATE_MS;
    return this.#starts.find((one) => one.valve === valve && one.hasHappened && isOf(one)) ?? null;
  }

  /** Return the starts whose time passed between two looks, without a start. */
  missedBetween(from: number, to: number): readonly PlannedStart[] {
    return this.#starts.filter(
      ({ at, hasHappened }) => !hasHappened && at + LATE_MS > from && at + LATE_MS <= to,
    );
  }
}

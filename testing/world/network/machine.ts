import type { Clock, Timer, Timers } from "@mulkko/shared/rules/clock";
import type { WorldTime } from "./world-time.ts";

/** Faults of a machine's clocks. */
export interface ClockFault {
  /** How far its wall clock is ahead, ms. */
  readonly offsetMs: number;
  /** How much faster both of its clocks run, as a share: 0.0001 is 100 ppm. */
  readonly drift: number;
}

/** Errors of times that are multiplied by a drift are smaller, ms. */
const ROUNDING_MS = 0.001;

/** A time in which a machine did nothing, true time, ms UTC. */
export interface Stop {
  readonly from: number;
  readonly to: number;
}

/** How many of its stops a machine knows. */
const STOPS_MAX = 20;

/** A process on a machine: its timers and its answers end with it. */
export interface Process {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly isAlive: () => boolean;
}

/**
 * A machine with a wall clock and a monotonic clock of its own.
 *
 * ```
 *   off ──boot──▶ running ──freeze──▶ frozen
 *    ▲              │  ▲                │ │
 *    └──── kill ────┘  └────── thaw ────┘ │
 *    └──────────────── kill ──────────────┘
 * ```
 *
 * A frozen process does nothing, and its timers fire when it is thawed. Those of a killed one never fire.
 */
export class Machine {
  readonly name: string;
  readonly #time: WorldTime;
  readonly #bootedAt: number;
  readonly #drift: number;
  #offsetMs: number;
  /** Its differences to true time, without its drift, ms, each from when on, true time, ms UTC. */
  readonly #settings: { readonly from: number; readonly offsetMs: number }[] = [];
  #life = 0;
  #isOn = false;
  /** Work that waits for the thaw; null while the machine runs. */
  #waiting: (() => void)[] | null = null;
  #frozenFrom = 0;
  readonly #stops: Stop[] = [];
  readonly #enders = new Set<() => void>();

  constructor(name: string, time: WorldTime, { offsetMs, drift }: ClockFault) {
    this.name = name;
    this.#time = time;
    this.#bootedAt = time.now;
    this.#drift = drift;
    this.#offsetMs = offsetMs;
    this.#settings.push({ from: time.now, offsetMs });
  }

  /** Differences to true time that its wall clock has had so far: the others lie between two of them, ms. */
  get offsets(): readonly number[] {
    const driftAt = (at: number): number => (at - this.#bootedAt) * this.#drift;
    const all = this.#settings.flatMap(({ from, offsetMs }, index) => {
      const to = this.#settings[index + 1]?.from ?? this.#time.now;
      return [offsetMs + driftAt(from), offsetMs + driftAt(to)];
    });
    return [...new Set(all)];
  }

  /** Return every true time at which its wall clock showed a time; several, if it was set back. All ms UTC. */
  whenShown(shown: number): readonly number[] {
    return this.#settings.flatMap(({ from, offsetMs }, index) => {
      const at = this.#bootedAt + (shown - offsetMs - this.#bootedAt) / (1 + this.#drift);
      const to = this.#settings[index + 1]?.from ?? Number.POSITIVE_INFINITY;
      return at >= from && at < to ? [at] : [];
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  get isFrozen(): boolean {
    return this.#waiting !== null;
  }

  get isWorking(): boolean {
    return this.#isOn && this.#waiting === null;
  }

  /** The last times in which it was frozen. */
  get stops(): readonly Stop[] {
    return this.#stops;
  }

  readonly clock: Clock = {
    now: () => Math.floor(this.#bootedAt + this.#monotonic() + this.#offsetMs),
    monotonic: () => this.#monotonic() + 1_000,
  };

  #monotonic(): number {
    return (this.#time.now - this.#bootedAt) * (1 + this.#drift);
  }

  /** Set the wall clock by a step, ms; the monotonic clock goes on. */
  step(ms: number): void {
    this.#offsetMs += ms;
    this.#settings.push({ from: this.#time.now, offsetMs: this.#offsetMs });
  }

  /** Start a process. */
  boot(): Process {
    this.#life += 1;
    this.#isOn = true;
    this.#waiting = null;
    const life = this.#life;
    const isAlive = (): boolean => this.#isOn && this.#life === life;
    const timers: Timers = {
      after: (ms, run) => this.#timer(ms, run, isAlive),
    };
    return { clock: this.clock, timers, isAlive };
  }

  #timer(ms: number, run: () => void, isAlive: () => boolean): Timer {
    let isOver = false;
    // A timer fires a little late, as on a machine; never in the instant in which it was set, nor a rounding error early.
    const lateMs = this.#drift === 0 ? 0 : ROUNDING_MS;
    const planned = this.#time.after(Math.max(0, ms) / (1 + this.#drift) + lateMs, () =>
      this.perform(() => {
        if (!isOver && isAlive()) run();
      }),
    );
    return {
      cancel() {
        isOver = true;
        planned.cancel();
      },
    };
  }

  /** Do something on this machine: now, or when it thaws. A machine that is off does nothing. */
  perform(run: () => void): void {
    if (!this.#isOn) return;
    if (this.#waiting) this.#waiting.push(run);
    else run();
  }

  freeze(): void {
    if (!this.isWorking) return;
    this.#waiting = [];
    this.#frozenFrom = this.#time.now;
  }

  thaw(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = null;
    this.#stops.push({ from: this.#frozenFrom, to: this.#time.now });
    if (this.#stops.length > STOPS_MAX) this.#stops.shift();
    for (const run of waiting) this.perform(run);
  }

  /** Call back when the process ends. @returns a function that stops */
  onKilled(run: () => void): () => void {
    this.#enders.add(run);
    return () => this.#enders.delete(run);
  }

  kill(): void {
    this.#isOn = false;
    this.#waiting = null;
    const enders = [...this.#enders];
    this.#enders.clear();
    for (const end of enders) end();
  }
}

import { readingIn } from "../devices/sensor.ts";
import type { Valve } from "../devices/truth.ts";
import { Trouble } from "../network/trouble.ts";
import type { AutomaticPlan } from "../plan/automatic-plan.ts";
import type { Scene } from "../scene/scene.ts";
import type { PlannedStart } from "../scene/schedule.ts";
import { inSeconds } from "../scene/story.ts";

const MINUTE = 60_000;
/** AUTO-1: age beyond which a reading does not count, ms. */
const FRESH_MS = 60 * MINUTE;
/** AUTO-3: with only an upper bound it opens this far below it, %. */
const BELOW_UPPER = 3;
/** AUTO-5: least pause after a run, ms. */
const LEAST_PAUSE_MS = 10 * MINUTE;
/** For how long the farm API may act by a reading that another one has followed: a look, and AUTO-9, ms. */
const KNOWN_MS = 75_000;
/** The same where the API or its database was in trouble, or an order was held, ms. */
const TROUBLED_MS = 4 * MINUTE;
/** AUTO-9: without a read of the moisture for this long a run ends, ms; a look less. */
const UNREAD_MS = 50_000;
/** Time that an order or a report may take on a line that is well, ms. */
const UNDER_WAY_MS = 20_000;
/** Time within which it opens, and closes, by what has arrived, ms: a look, and a slow line. */
const OPENS_MS = 60_000;
const CLOSES_MS = 30_000;
/** Time for which it waits after what a person has wanted, ms. */
const QUIET_MS = 90_000;

/** A reading that has arrived. Times are ms UTC. */
interface Arrival {
  readonly at: number;
  /** The latest time at which it may have been measured, by whichever clock. */
  readonly measuredAt: number;
  readonly moisture: number;
}

/** A run of the mode, by the valve. Times are ms UTC. */
interface AutomaticRun {
  readonly openedAt: number;
  closedAt: number | null;
}

/** Automatic mode, held against the readings that have arrived: W-8. */
export class Automatic {
  readonly #scene: Scene;
  readonly #plan: AutomaticPlan | null;
  readonly #arrivals: Arrival[] = [];
  /** The way from the farm API to the valve, with its database. */
  readonly #way = new Trouble();
  /** The way of its orders alone. */
  readonly #line = new Trouble();
  #unreadSince: number | null = null;
  /** When the moisture could last not be read for a while. */
  #unreadAt = Number.NEGATIVE_INFINITY;
  #run: AutomaticRun | null = null;
  #wetSince: number | null = null;
  #drySince: number | null = null;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#plan = scene.plan.automatic ?? null;
    if (!this.#plan) return;
    scene.broker.onTaken(({ topic, payload }, at) => {
      const said = scene.sensor?.speaksIn(topic) ? readingIn(payload) : null;
      if (!said) return;
      const { value, moisture, statedAt } = said;
      const madeAt = scene.sensor?.measured.find((one) => one.value === value)?.at ?? at;
      this.#arrivals.push({ at, measuredAt: Math.max(Math.min(at, statedAt ?? at), madeAt), moisture });
    });
  }

  /** True if a valve is in automatic mode. */
  isOf(valve: Valve): boolean {
    return this.#plan?.valve === valve.number;
  }

  /** True if the mode opens the valve for runs of this length. */
  hasRunsOf(valve: Valve, runSeconds: number): boolean {
    return this.isOf(valve) && this.#runMs === runSeconds * 1_000;
  }

  get #runMs(): number {
    return (this.#plan?.runMinutes ?? 0) * MINUTE;
  }

  get #pauseMs(): number {
    return Math.max(this.#runMs, LEAST_PAUSE_MS);
  }

  #isDry(moisture: number): boolean {
    const { lowerBound, upperBound } = this.#plan ?? {};
    return moisture < (lowerBound ?? (upperBound ?? 0) - BELOW_UPPER);
  }

  #isWet(moisture: number): boolean {
    const { upperBound } = this.#plan ?? {};
    return upperBound !== undefined && moisture >= upperBound;
  }

  /** True if something was in the way of the farm API or its orders within a time before now, ms. */
  #wasTroubled(forMs: number): boolean {
    const { endedAt, since } = this.#way;
    return since !== null || endedAt > this.#scene.time.now - forMs;
  }

  /** Return the readings by which the farm API may act now. */
  #known(): readonly Arrival[] {
    const from = this.#scene.time.now - (this.#wasTroubled(TROUBLED_MS) ? TROUBLED_MS : KNOWN_MS);
    const before = this.#arrivals.filter(({ at }) => at <= from);
    const newest = before.toSorted((one, other) => one.measuredAt - other.measuredAt).at(-1);
    const last = before.at(-1);
    const others = this.#arrivals.filter(({ at }) => at > from);
    return [...(newest ? [newest] : []), ...(last && last !== newest ? [last] : []), ...others];
  }

  #pressedSince(from: number): boolean {
    return this.#scene.presses.some(({ at, runMs, valve }) => this.isOf(valve) && at + runMs >= from);
  }

  /** The valve of the mode has opened, and no person wanted it. @returns the start of its run */
  opened(valve: Valve): PlannedStart {
    const { apiClockMs, time } = this.#scene;
    const { now } = time;
    const known = this.#known();
    const isHeld = this.#wasTroubled(TROUBLED_MS);
    const last = this.#run;
    const dry = known.filter(({ moisture }) => this.#isDry(moisture));
    if (dry.length === 0) {
      const values = known.map(({ moisture }) => moisture).join(", ");
      this.#scene.break("W-8", `${valve.name} opened by its moisture, which is ${values || "unknown"}`);
    } else if (
      apiClockMs === 0 &&
      !dry.some(({ measuredAt }) => now - measuredAt <= FRESH_MS + (isHeld ? TROUBLED_MS : KNOWN_MS))
    ) {
      this.#scene.break("W-8", `${valve.name} opened by a moisture that is older than an hour`);
    } else if (last && apiClockMs === 0) {
      // The farm API knows the end of a run earlier than the valve only where its orders are late.
      const isOnTime = this.#line.since === null && this.#line.endedAt < last.openedAt - UNDER_WAY_MS;
      const isExact = isOnTime && !this.#pressedSince(last.openedAt);
      const from = isExact && last.closedAt !== null ? last.closedAt : last.openedAt;
      const earliest = from + this.#pauseMs - UNDER_WAY_MS - (isExact ? 0 : TROUBLED_MS);
      if (now < earliest)
        this.#scene.break(
          "W-8",
          `${valve.name} opened by its moisture ${inSeconds(now - from)} after its last run; it is to pause for ${inSeconds(this.#pauseMs)}`,
        );
    }
    this.#run = { openedAt: now, closedAt: null };
    const at = isHeld ? now - TROUBLED_MS : now - UNDER_WAY_MS;
    return { valve, at, runMs: this.#runMs, hasHappened: true, mayEndEarly: () => this.#mayEndEarly() };
  }

  /** True if what has arrived, or has not, ends a run now. */
  #mayEndEarly(): boolean {
    const { apiClockMs, time } = this.#scene;
    const known = this.#known();
    const isWet = known.some(({ moisture }) => this.#isWet(moisture));
    const isFresh = known.every(({ measuredAt }) => time.now - measuredAt < FRESH_MS - KNOWN_MS);
    return isWet || !isFresh || apiClockMs > 0 || time.now - this.#unreadAt < 2 * MINUTE;
  }

  look(): void {
    const valve = this.#plan && this.#scene.valve(this.#plan.valve);
    if (!valve) return;
    const { bundled, controller, isApiWell, isDeviceWell, lines, time } = this.#scene;
    const isReading = isApiWell && bundled?.isStoreWell === true;
    this.#way.note(isReading && isDeviceWell && !valve.isStuck, time.now);
    this.#line.note(
      lines["controller-broker"].isWell && controller.machine.isWorking && !valve.isStuck,
      time.now,
    );
    if (isReading) this.#unreadSince = null;
    else this.#unreadSince ??= time.now;
    if (this.#unreadSince !== null && time.now - this.#unreadSince >= UNREAD_MS) this.#unreadAt = time.now;
    if (this.#run && this.#run.closedAt === null && !valve.isOpen)
      this.#run.closedAt = valve.last?.at ?? time.now;
    // By another clock a reading is old at any time.
    if (this.#scene.apiClockMs > 0) return;
    this.#lookWhetherOpen(valve);
    this.#lookWhetherClosed(valve);
  }

  /** W-8: it closes at the upper bound. */
  #lookWhetherClosed(valve: Valve): void {
    const { now } = this.#scene.time;
    const run = this.#run?.closedAt === null ? this.#run : null;
    const last = this.#arrivals.at(-1);
    const isDue = run && last && this.#isWet(last.moisture) && !this.#pressedSince(run.openedAt);
    // A hand that opens the valve begins no run of the mode.
    const isOwn = run !== null && valve.last?.open === true && valve.last.at <= run.openedAt + UNDER_WAY_MS;
    if (!isDue || !isOwn || this.#way.since !== null) this.#wetSince = null;
    else this.#wetSince ??= now;
    if (this.#wetSince === null || now - Math.max(this.#wetSince, this.#way.endedAt) <= CLOSES_MS) return;
    this.#scene.break(
      "W-8",
      `${valve.name} is open by its moisture, which reached the upper bound ${inSeconds(now - this.#wetSince)} ago`,
    );
  }

  /** W-8: it opens when it is dry, if nothing was in the way for as long as a run and its pause may last. */
  #lookWhetherOpen(valve: Valve): void {
    const { now } = this.#scene.time;
    const restMs = this.#runMs + this.#pauseMs + QUIET_MS;
    const known = this.#known();
    const isDry =
      known.length > 0 &&
      known.every(
        ({ moisture, measuredAt }) => this.#isDry(moisture) && now - measuredAt < FRESH_MS - KNOWN_MS,
      );
    const rests = this.#run !== null && now < (this.#run.closedAt ?? now) + restMs;
    const isDue =
      isDry && !rests && !valve.isOpen && !this.#wasTroubled(restMs) && !this.#pressedSince(now - QUIET_MS);
    if (isDue) this.#drySince ??= now;
    else this.#drySince = null;
    if (this.#drySince === null || now - this.#drySince <= OPENS_MS) return;
    this.#scene.break("W-8", `${valve.name} is dry for ${inSeconds(now - this.#drySince)}, and did not open`);
  }
}

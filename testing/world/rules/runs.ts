import { parse, parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { Turn, Valve } from "../devices/truth.ts";
import type { Order } from "../devices/valve-controller.ts";
import type { Person } from "../people/person.ts";
import type { Press } from "../people/press.ts";
import type { Scene } from "../scene/scene.ts";
import type { PlannedStart } from "../scene/schedule.ts";
import { inSeconds } from "../scene/story.ts";

/** W-14: what a run may be shorter than wanted, ms: clocks that drift by 100 ppm, and times in whole seconds. */
const TOLERANCE_MS = 1_000;
/** CMD-17: within this time after its press a close is carried out whatever was pressed after it, ms. */
const PROMPT_CLOSE_MS = 3_000;
/** Time for which a withdrawal or a close may be under way to the valve, ms. */
const UNDER_WAY_MS = 10_000;
/** Longest time that a close may wait on a held line, ms. */
const WAITS_AT_MOST_MS = 3 * 60_000;
/** RUN-4: a smaller step of the relay's clock is followed as drift, ms. */
const FOLLOWED_STEP_MS = 2_100;

/** CMD-10: how often a relay notes that it reads, ms. */
const READS_EVERY_MS = 500;
/** CMD-10: time after a stop in which what arrives may have waited meanwhile, ms. */
const CATCHES_UP_MS = 2_500;

/** A command to a farm API, as JSON. */
const Sent = Type.Object({
  channel: Type.Union([Type.String(), Type.Number()]),
  payload: Type.Union([Type.String(), Type.Number()]),
});

/** Reason of an opening that a controller carries out. */
export type RunCause = { readonly press: Press } | { readonly start: PlannedStart };

/** A run that is under way. */
interface Run {
  readonly cause: RunCause;
  /** When the controller had carried out its opening, ms UTC. */
  readonly begunAt: number;
}

/** A step of the relay's clock. */
interface Step {
  readonly at: number;
  readonly ms: number;
}

/**
 * The runs that people and modes have begun, and their ends: W-14. Everything that may end one early is a fact that the
 * world knows: what people do, the power of the controller, the end of an account.
 */
export class Runs {
  readonly #scene: Scene;
  /** Causes of orders that are not carried out yet. */
  readonly #ordered = new Map<Order, RunCause>();
  readonly #runs = new Map<Valve, Run>();
  /** When the relay first sent each command, by its id, ms UTC. */
  readonly #sentAt = new Map<string, number>();
  /** Openings that their pages have withdrawn, and when they last tried to, ms UTC. */
  readonly #withdrawnAt = new Map<string, number>();
  /** When a page learned that the relay knows a close, by its command, ms UTC. */
  readonly #takenAt = new Map<string, number>();
  /** When the relay last sent a close of each valve, by its number, ms UTC. */
  readonly #closeSentAt = new Map<number, number>();
  readonly #steps: Step[] = [];
  #unpoweredAt = Number.NEGATIVE_INFINITY;
  /** When the farm API last stood still, ms UTC. */
  #apiStoodAt = Number.NEGATIVE_INFINITY;

  constructor(scene: Scene) {
    this.#scene = scene;
    scene.controller.onDone = (order) => this.#done(order);
    for (const valve of scene.valves) valve.onTurned = (turn) => this.#turned(valve, turn);
    for (const person of scene.people) {
      person.phone.onWithdrawal = (commandId) => this.#withdrawn(person, commandId);
    }
  }

  /** A controller carries out an opening from now on. */
  ordered(order: Order, cause: RunCause): void {
    this.#ordered.set(order, cause);
  }

  /** The relay sends a command to the farm API. */
  sent(commandId: string, body: unknown): void {
    const { now } = this.#scene.time;
    if (!this.#sentAt.has(commandId)) this.#sentAt.set(commandId, now);
    const command =
      body instanceof URLSearchParams
        ? parse(Sent, Object.fromEntries(body))
        : typeof body === "string"
          ? parseJson(Sent, body)
          : null;
    if (command?.ok && Number(command.value.payload) === 2)
      this.#closeSentAt.set(Number(command.value.channel), now);
  }

  /** True for a command that the relay has sent to the farm API. */
  isSent(commandId: string): boolean {
    return this.#sentAt.has(commandId);
  }

  /** Return when the relay first sent a command, ms UTC; null: it has not. */
  sentAt(commandId: string): number | null {
    return this.#sentAt.get(commandId) ?? null;
  }

  /** A page has learned that the relay knows a close. */
  closeTaken({ commandId }: Press): void {
    this.#takenAt.set(commandId, this.#scene.time.now);
  }

  /** A hand turns a valve: it has no run any more. */
  turnedByHand(valve: Valve): void {
    this.#runs.delete(valve);
  }

  /** The clock of the relay is set, ms. */
  clockSet(ms: number): void {
    this.#steps.push({ at: this.#scene.time.now, ms });
  }

  /** Return true if the clock of the relay was set since an instant. */
  isSetSince(since: number): boolean {
    return this.#steps.some(({ at }) => at >= since);
  }

  /** Note what ends runs, before anything is looked at. */
  look(): void {
    const { api, controller, time } = this.#scene;
    if (!controller.machine.isOn) this.#unpoweredAt = time.now;
    if (api.machine.isFrozen) this.#apiStoodAt = time.now;
  }

  #done(order: Order): void {
    const cause = this.#ordered.get(order);
    this.#ordered.delete(order);
    if (order.target === 2 || !cause) this.#runs.delete(order.valve);
    else this.#runs.set(order.valve, { cause, begunAt: this.#scene.time.now });
  }

  #withdrawn({ name, presses }: Person, commandId: string): void {
    const press = presses.get(commandId);
    if (!press) return;
    const isAgain = this.#withdrawnAt.has(commandId);
    this.#withdrawnAt.set(commandId, this.#scene.time.now);
    if (isAgain) return;
    this.#scene.story.tell(`${name}'s page withdraws the opening of ${press.valve.name}`);
  }

  /** W-14: a valve that closes is at the end of its run, or something has ended it. */
  #turned(valve: Valve, turn: Turn): void {
    const run = turn.open ? undefined : this.#runs.get(valve);
    if (!run) return;
    this.#runs.delete(valve);
    const end = this.#endOf(run.cause, turn.at);
    const mayEndEarly = "start" in run.cause && run.cause.start.mayEndEarly?.() === true;
    if (turn.at >= end - TOLERANCE_MS || mayEndEarly || this.#mayEnd(valve, run, turn.at)) return;
    const by = "press" in run.cause ? `${run.cause.press.by}'s run` : "the run of its mode";
    this.#scene.break(
      "W-14",
      `${valve.name} closed ${inSeconds(turn.at - run.begunAt)} after it had opened, ${inSeconds(end - turn.at)} before the end of ${by}`,
    );
  }

  /** Return the end that a cause gives a run, ms UTC. */
  #endOf(cause: RunCause, now: number): number {
    if ("start" in cause) return cause.start.at + cause.start.runMs;
    return this.#wantedEnd(cause.press, now);
  }

  /** Return the earliest moment of a press: it may have waited while a relay was frozen, and counts from its last read. */
  #countsFrom(press: Press, sentAt: number): number {
    const reads = this.#scene.relays.all
      .flatMap(({ machine }) => machine.stops)
      .filter(({ from, to }) => from <= sentAt && press.at <= to + CATCHES_UP_MS)
      .map(({ from }) => from - READS_EVERY_MS);
    return Math.min(press.countsFrom, ...reads);
  }

  /** Return the end of a press by its earliest possible moment (CMD-10), and by the relay's clock (RUN-4). */
  #wantedEnd(press: Press, now: number): number {
    const sentAt = this.#sentAt.get(press.commandId) ?? now;
    const steps = this.#steps.filter(({ at, ms }) => at >= press.at && at <= now && ms > 0);
    const shorter = steps.map(({ at, ms }) => (at <= sentAt ? ms : Math.min(ms, FOLLOWED_STEP_MS)));
    return this.#countsFrom(press, sentAt) + press.runMs - shorter.reduce((sum, ms) => sum + ms, 0);
  }

  /** Return true if something has happened that may end a run before its time. */
  #mayEnd(valve: Valve, run: Run, now: number): boolean {
    const { begunAt } = run;
    const { deletedFrom, deletedTo } = this.#scene;
    if (this.#unpoweredAt >= begunAt) return true;
    // The deletion of an account closes its valves.
    if (now >= deletedFrom && begunAt <= deletedTo) return true;
    // So does a log-out, if it takes the last means to close them.
    if (begunAt <= this.#scene.closingUntil) return true;
    const presses = this.#scene.presses.filter((press) => press.valve === valve);
    if (presses.some((press) => this.#ends(press, run, now))) return true;
    return this.#wasOnItsWay(valve, run, now);
  }

  /**
   * Return true if the close was sent before the run began, and waited on the line, or before an API that stood still. The bundled farm API knows it only
   * by the opening that replaces it (CMD-17), a plain one never.
   */
  #wasOnItsWay(valve: Valve, { begunAt, cause }: Run, now: number): boolean {
    if ("press" in cause && this.#scene.plain === null) return false;
    const closeSentAt = this.#closeSentAt.get(valve.number) ?? Number.NEGATIVE_INFINITY;
    const openSentAt = "press" in cause ? this.#sentAt.get(cause.press.commandId) : undefined;
    const { lines, plain } = this.#scene;
    // A plain API may have been slow itself.
    const troubledAt = Math.max(lines["relay-api"].troubledAt, this.#apiStoodAt);
    const mayWait = plain !== null || troubledAt >= closeSentAt;
    return closeSentAt < (openSentAt ?? begunAt) && mayWait && now - closeSentAt <= WAITS_AT_MOST_MS;
  }

  /** Return true if another press may end a run. */
  #ends(press: Press, { begunAt, cause }: Run, now: number): boolean {
    if (press.target === 2) {
      // One that waited on its way ends the run of a mode, whenever it was pressed (CMD-17).
      const takenAt = this.#takenAt.get(press.commandId) ?? now;
      if ("start" in cause) return press.at >= begunAt || takenAt >= begunAt - UNDER_WAY_MS;
      const isLater = press.countsFrom >= cause.press.countsFrom - TOLERANCE_MS;
      return isLater || press.at >= cause.press.at - PROMPT_CLOSE_MS;
    }
    // A withdrawal closes the valve if its opening is the last one that the relay has (CMD-12).
    const withdrawnAt = this.#withdrawnAt.get(press.commandId);
    const isOwn = "press" in cause && press === cause.press;
    if (withdrawnAt !== undefined && (isOwn || withdrawnAt >= begunAt - UNDER_WAY_MS)) return true;
    // Another opening replaces the run, also where it may not have been carried out (CMD-0).
    const sentAt = this.#sentAt.get(press.commandId);
    if (sentAt === undefined || isOwn) return false;
    // The end of a mode's run is stored before an opening is sent (AUTO-9).
    if ("start" in cause) return sentAt >= begunAt;
    return press.at >= cause.press.at && now >= this.#wantedEnd(press, now) - TOLERANCE_MS;
  }
}

import type { Valve } from "../devices/truth.ts";
import type { Order } from "../devices/valve-controller.ts";
import { Trouble } from "../network/trouble.ts";
import type { Press } from "../people/press.ts";
import type { Scene } from "../scene/scene.ts";
import type { PlannedStart } from "../scene/schedule.ts";
import { inSeconds } from "../scene/story.ts";
import type { Automatic } from "./automatic.ts";
import { PlainAnswers } from "./plain-answers.ts";
import type { Reports } from "./reports.ts";
import type { Runs } from "./runs.ts";

/** Time for which a mode waits after a person's deed. */
const QUIET_MS = 90_000;
/** Time that an order which was held may take after the line is well again, ms. */
const COMES_AFTER_MS = 3_000;

/** Of two presses of two people within this time either may be the last one: pages know the relay's clock so well, ms. */
const TIE_MS = 250;

/** A close that a relay has taken. */
interface TakenClose {
  readonly close: Press;
  /** The process that took it; null where there are several relays. */
  readonly by: unknown;
}

/** The wishes of people and modes for the valves, and their outcome: W-2, W-3, W-6 and W-8. */
export class Orders {
  readonly #scene: Scene;
  readonly #reports: Reports;
  readonly #runs: Runs;
  readonly #automatic: Automatic;
  /** The way from the farm API to each valve that its mode may open. */
  readonly #modeWays: ReadonlyMap<Valve, Trouble>;
  #lookedAt: number;
  #orderHeldAt: number;
  /** When that hold had begun. */
  #orderHeldFrom: number;
  /** Closes that the relay has taken. */
  readonly #taken: TakenClose[] = [];
  /** Null in front of the bundled farm API. */
  readonly #answers: PlainAnswers | null;
  /** The last press about each valve. */
  readonly #wish = new Map<Valve, Press>();
  /** Last end of the runs that a person wanted of each valve. */
  readonly #runEnds = new Map<Valve, number>();
  /** When each valve could last be turned again. */
  readonly #freedAt = new Map<Valve, number>();

  constructor(scene: Scene, reports: Reports, runs: Runs, automatic: Automatic) {
    this.#scene = scene;
    this.#reports = reports;
    this.#lookedAt = scene.start;
    this.#orderHeldAt = scene.start;
    this.#orderHeldFrom = scene.start;
    this.#runs = runs;
    this.#automatic = automatic;
    this.#modeWays = new Map(scene.valves.map((valve) => [valve, new Trouble()]));
    this.#answers = scene.plain && new PlainAnswers(scene, scene.plain);
    scene.controller.onObeyed = (order) => this.#obeyed(order);
    for (const relay of scene.relays.all) relay.onCommand = (commandId, body) => this.#sent(commandId, body);
  }

  /** A person has pressed. */
  pressed(press: Press): void {
    const before = this.#wish.get(press.valve);
    const isTie = before && before.by !== press.by && press.at - before.at <= TIE_MS;
    if (isTie && before.target !== press.target) this.#wish.delete(press.valve);
    else this.#wish.set(press.valve, press);
    if (press.target === 1) this.#wantUntil(press.valve, press.at + press.runMs);
  }

  /** The relay knows a close: what its person wanted of the valve before is over. */
  closeTaken(press: Press): void {
    this.#taken.push({ close: press, by: this.#relayProcess });
  }

  /** A person has taken a press back. */
  tookBack(press: Press): void {
    if (this.#wish.get(press.valve) === press) this.#wish.delete(press.valve);
  }

  /** A hand has turned a valve: what was wanted of it before does not count. */
  turnedByHand(valve: Valve): void {
    this.#wish.delete(valve);
  }

  /** A valve that was stuck can be turned again. */
  freed(valve: Valve): void {
    this.#freedAt.set(valve, this.#scene.time.now);
  }

  /** Return when a valve could last be turned again, ms UTC; 0: it never stuck. */
  freedAt(valve: Valve): number {
    return this.#freedAt.get(valve) ?? 0;
  }

  /** Return what was last pressed about a valve; null: nothing that still counts. */
  lastPress(valve: Valve): Press | null {
    return this.#wish.get(valve) ?? null;
  }

  /** Return the last end of the runs that people wanted of a valve, ms UTC; null: they wanted none. */
  runEnd(valve: Valve): number | null {
    return this.#runEnds.get(valve) ?? null;
  }

  /** Return the first instant from which a valve can be known to be open, ms UTC; null: it cannot yet. */
  knownOpenSince(valve: Valve): number | null {
    return this.#answers ? this.#answers.openSince(valve) : 0;
  }

  /** Look at what should have happened by now, before anything else is looked at. */
  look(): void {
    const { bundled, isApiWell, isDeviceWell, time } = this.#scene;
    const isStoreWell = bundled?.isStoreWell ?? true;
    this.#heldAt();
    this.#answers?.look();
    for (const [valve, way] of this.#modeWays)
      way.note(isApiWell && isStoreWell && isDeviceWell && !valve.isOpen && !valve.isStuck, time.now);
    this.#lookAtStarts();
  }

  #wantUntil(valve: Valve, end: number): void {
    this.#runEnds.set(valve, Math.max(end, this.#runEnds.get(valve) ?? 0));
  }

  /** When something last kept the orders of the farm API from the controller; now, while it does. */
  #heldAt(): number {
    const isHeld =
      !this.#scene.lines["controller-broker"].isWell || !this.#scene.controller.machine.isWorking;
    const { now } = this.#scene.time;
    if (isHeld && now - this.#orderHeldAt > COMES_AFTER_MS) this.#orderHeldFrom = now;
    if (isHeld) this.#orderHeldAt = now;
    return this.#orderHeldAt;
  }

  /**
   * Return the press that an opening comes from; null: it comes from no person. Where commands have no ids the length of
   * its run shows it: of a press that the relay has sent, as one that joined it never is (CMD-2).
   */
  #cause({ commandId, valve, runSeconds }: Order): Press | null {
    if (commandId !== null) return this.#scene.press(commandId) ?? null;
    if (this.#scene.schedule.hasRunsOf(valve, runSeconds)) return null;
    if (this.#automatic.hasRunsOf(valve, runSeconds)) return null;
    const isOf = ({ target, runMs, ...press }: Press): boolean => {
      const gone = runMs / 1_000 - runSeconds;
      const isPossible = gone >= 0 && gone <= this.#scene.bounds.openMs / 1_000;
      return press.valve === valve && target === 1 && isPossible && this.#runs.isSent(press.commandId);
    };
    const isRefused = (press: Press): boolean =>
      this.#scene.people.some(({ refused }) => refused.has(press.commandId));
    const pressed = this.#scene.presses.filter(isOf);
    pressed.sort((one, other) => one.at - other.at);
    return pressed.findLast((press) => !isRefused(press)) ?? pressed.at(-1) ?? null;
  }

  /**
   * True for an order that is carried out whenever it comes out of the line: without an end of its own, or with one by
   * the clock of a server that is wrong, of a device whose reports state no time.
   */
  #expiresUnseen({ commandId }: Order): boolean {
    const { apiClockMs, plan } = this.#scene;
    return commandId === null || (apiClockMs > 0 && !plan.controller.hasClock);
  }

  #obeyed(order: Order): void {
    const { target, valve } = order;
    const press = target === 1 ? this.#cause(order) : null;
    // Only the relay ends a run in front of a plain farm API: after the press, not after the opening (RUN-2).
    if (press && !this.#answers) this.#wantUntil(valve, this.#scene.time.now + press.runMs);
    this.#scene.story.tell(`${valve.name} gets the order to ${target === 1 ? "open" : "close"}`);
    if (target === 2) return;
    if (!press) {
      const start = this.#startedByMode(valve);
      if (start) this.#runs.ordered(order, { start });
      return;
    }
    this.#runs.ordered(order, { press });
    const { commandId } = press;
    const isBackIn = this.#answers !== null && this.#scene.person(press.by)?.isOut === false;
    if (
      this.#scene.outSince !== null &&
      !isBackIn &&
      press.at - this.#scene.outSince > this.#scene.bounds.outMs
    ) {
      this.#scene.break(
        "W-10",
        `${valve.name} opened by a press of ${press.by} ${inSeconds(press.at - this.#scene.outSince)} after all sessions ended`,
      );
      return;
    }
    // A plain farm API carries out an opening at any age. The relay closes it then (CMD-14).
    if (this.#answers) return;
    if (this.#scene.people.some(({ refused }) => refused.has(commandId))) {
      this.#scene.break("W-6", `${valve.name} opened after ${press.by}'s screen had said that it does not`);
      return;
    }
    const late = this.#scene.time.now - press.at;
    const isHeld = this.#expiresUnseen(order) && this.#heldAt() >= press.at;
    // The API takes what is on its way then for younger than it is.
    const isSetBack = this.#scene.apiSetBackAt >= press.at;
    if (late > this.#scene.bounds.openMs && !isHeld && !isSetBack) {
      this.#scene.break("W-2", `${valve.name} opened ${inSeconds(late)} after ${press.by} pressed`);
    }
  }

  /** W-8: an opening that no person wanted is a planned one. W-2: else nothing opens. */
  #startedByMode(valve: Valve): PlannedStart | null {
    const { now } = this.#scene.time;
    if (this.#automatic.isOf(valve)) {
      this.#wish.delete(valve);
      this.#runEnds.delete(valve);
      return this.#automatic.opened(valve);
    }
    const heldAt = this.#heldAt();
    const sentFrom = now - heldAt <= COMES_AFTER_MS ? Math.min(this.#orderHeldFrom, now) : now;
    const start = this.#scene.schedule.dueAt(valve, { now, heldAt, sentFrom }, this.#scene.apiClockMs);
    const running = this.#scene.schedule.runningAt(valve, now);
    if (start?.hasHappened === false) {
      start.hasHappened = true;
      const reportedAt = valve.isOpen ? this.#reports.reportedAt(valve) : null;
      // A report of before its last turn is forgotten at the next look only.
      const openSince = reportedAt === null ? null : Math.max(reportedAt, valve.last?.at ?? 0);
      // The order may have waited on its way since before the valve opened.
      const isHeld = this.#heldAt() >= start.at;
      if (openSince !== null && now - openSince > this.#scene.bounds.shownMs && !isHeld)
        this.#scene.break("W-8", `${valve.name} started while water ran in it`);
      this.#wish.delete(valve);
      // RUN-3 gives the run of a mode another time.
      this.#runEnds.delete(valve);
    } else if (running === null) {
      const { automatic, waterings } = this.#scene.plan;
      const rule = waterings?.length || automatic ? "W-8" : "W-2";
      this.#scene.break(rule, `${valve.name} opened, and no person or plan wanted it`);
    } else if (!valve.isOpen) this.#scene.break("W-8", `${valve.name} started again in the run of one start`);
    return start ?? running;
  }

  /** W-8: a planned start happens if nothing is in its way. */
  #lookAtStarts(): void {
    const { now } = this.#scene.time;
    // By a clock that is wrong or set, a start is skipped.
    if (this.#scene.apiClockMs > 0) return;
    for (const { valve, at } of this.#scene.schedule.missedBetween(this.#lookedAt, now)) {
      const { wellSince = null } = this.#modeWays.get(valve) ?? {};
      const isPressed = this.#scene.presses.some(
        (press) => press.valve === valve && press.at + press.runMs + QUIET_MS > at,
      );
      if (isPressed || wellSince === null || wellSince > at - this.#scene.bounds.startMs) continue;
      this.#scene.break("W-8", `${valve.name} was to start at ${new Date(at).toISOString()}, and did not`);
    }
    this.#lookedAt = now;
  }

  /** The process of the only relay; null where there are several, or it does not run. */
  get #relayProcess(): unknown {
    const [relay, ...others] = this.#scene.relays.all;
    return others.length > 0 ? null : (relay?.app ?? null);
  }

  /**
   * Return the later close by which an opening is over (CMD-11). One of another person counts where the relay that took it
   * still runs, and by its time: her page may know the relay's clock less well.
   */
  #closeAfter(press: Press): Press | null {
    const isLater = ({ close, by }: TakenClose): boolean => {
      if (close.valve !== press.valve || close.at <= press.at) return false;
      if (close.by === press.by) return true;
      // An opening that was pressed after it may have replaced it (CMD-17).
      const isReplaced = this.#scene.presses.some(
        ({ target, valve, at }) =>
          target === 1 && valve === press.valve && at > press.at && at > close.at - TIE_MS,
      );
      if (isReplaced || by === null || by !== this.#relayProcess) return false;
      return close.countsFrom - press.at > TIE_MS && !this.#runs.isSetSince(press.at);
    };
    return this.#taken.find(isLater)?.close ?? null;
  }

  /** W-2: an opening is not sent later than a press of it counts, nor after a later close. */
  #sent(commandId: string, body: unknown): void {
    this.#runs.sent(commandId, body);
    const press = this.#scene.press(commandId);
    if (press?.target !== 1) return;
    const close = this.#closeAfter(press);
    if (close)
      this.#scene.break(
        "W-2",
        `the relay sent an opening of ${press.valve.name} by ${press.by} after ${close.by}'s later close`,
      );
    const late = this.#scene.time.now - press.at;
    if (late > this.#scene.bounds.sentMs)
      this.#scene.break(
        "W-2",
        `the relay sent the opening of ${press.valve.name} ${inSeconds(late)} after ${press.by} pressed`,
      );
    if (this.#scene.people.some(({ refused }) => refused.has(commandId))) {
      this.#scene.break(
        "W-6",
        `the relay sent the opening of ${press.valve.name} after ${press.by}'s screen had said that it does not happen`,
      );
    }
  }

  /** W-3: where only the relay ends a run, it ends it. */
  lookAtEnd(valve: Valve): void {
    const wellSince = this.#answers?.wellSince ?? null;
    const end = this.runEnd(valve);
    const knownAt = this.knownOpenSince(valve);
    if (end === null || wellSince === null || knownAt === null) return;
    // A valve that was turned by hand runs without an end.
    if (!valve.isOpen || valve.isStuck || valve.last?.commandId === null) return;
    if (this.#answers?.provedClosed(valve, end)) return;
    const { now } = this.#scene.time;
    const since = Math.max(end, wellSince, knownAt, this.freedAt(valve));
    if (now - since <= this.#scene.bounds.closeMs) return;
    this.#scene.break(
      "W-3",
      `${valve.name} is open ${inSeconds(now - end)} after the end of its run; the way of the relay was well for ${inSeconds(now - wellSince)}`,
    );
  }

  /** W-3: a close that a person pressed happens as soon as there is a way to the valve. */
  lookAtClose(valve: Valve): void {
    const press = this.#wish.get(valve);
    const wellSince = press ? this.#scene.wellSinceOf(press) : null;
    if (press?.target !== 2 || !valve.isOpen || valve.isStuck || wellSince === null) return;
    const knownAt = this.knownOpenSince(valve);
    if (knownAt === null || this.#answers?.provedClosed(valve, press.at)) return;
    const since = Math.max(wellSince, press.at, this.freedAt(valve), knownAt);
    if (this.#scene.time.now - since <= this.#scene.bounds.closeMs) return;
    this.#scene.break(
      "W-3",
      `${valve.name} is open ${inSeconds(this.#scene.time.now - press.at)} after ${press.by} closed it; every line was well for ${inSeconds(this.#scene.time.now - since)}`,
    );
  }
}

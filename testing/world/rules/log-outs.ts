import type { OutboxEntry } from "../../../web/src/domain/valve/outbox-entry.ts";
import type { Valve } from "../devices/truth.ts";
import { Trouble } from "../network/trouble.ts";
import type { Person } from "../people/person.ts";
import type { Press } from "../people/press.ts";
import type { Scene } from "../scene/scene.ts";
import { inSeconds } from "../scene/story.ts";
import type { Orders } from "./orders.ts";
import type { Runs } from "./runs.ts";

/** Time after a sign-in in which the relay may still be at its own one, ms. */
const OWN_SIGN_IN_MS = 60_000;
/** Time for which the relay takes a valve for opening after it has sent that, ms: 60 s (CMD-1), less what a look needs. */
const OPENING_MS = 50_000;
/** Time within which no two reads can have proved a close, ms: they are 3 s apart (CMD-1). */
const UNPROVED_MS = 2_500;
/** Time for which a close may be under way to the valve after the log-out that began it, ms. */
const UNDER_WAY_MS = 5_000;

/** Log-outs in front of a plain farm API, and the last means to close a valve: W-3 (CMD-15). */
export class LogOuts {
  readonly #scene: Scene;
  readonly #orders: Orders;
  readonly #runs: Runs;
  /** People whose log-out has no answer yet, with the closes that their pages have stored for it. */
  readonly #leaving = new Map<Person, readonly Press[]>();
  /** The way from the relays to the farm API. */
  readonly #upstream = new Trouble();
  /** True once the relay has answered that it watches the account no more, until the next sign-in begins. */
  #isUnwatched = false;
  /** When a sign-in last began, ms UTC. */
  #signInAt: number;

  constructor(scene: Scene, orders: Orders, runs: Runs) {
    this.#scene = scene;
    this.#orders = orders;
    this.#runs = runs;
    this.#signInAt = scene.start;
    if (scene.plain) scene.plain.onLogOut = () => this.#lookAtLogOut();
  }

  /** A person begins to sign in: the relay gets a session of its own with it. */
  signsIn(): void {
    this.#signInAt = this.#scene.time.now;
    this.#isUnwatched = false;
  }

  /** A person is signed in. */
  signedIn(person: Person): void {
    person.outSince = null;
    this.#scene.mayBeUnwatched = false;
  }

  /** A person lets the relay watch the account no more. */
  stopWatching({ name, phone }: Person): void {
    const { people, plain, story, time } = this.#scene;
    const signInAt = this.#signInAt;
    // Else the relay's own sign-in may come after it.
    if (!plain || !phone.isRead || people.some(({ isOut }) => isOut)) return;
    if (time.now - signInAt < OWN_SIGN_IN_MS) return;
    story.tell(`${name} lets the relay not watch the account any more`);
    this.#scene.mayBeUnwatched = true;
    const stopped = (): void => {
      if (this.#signInAt === signInAt) this.#isUnwatched = true;
    };
    phone.stopWatching().then(stopped, () => undefined);
  }

  /** A person logs out. @param again called after a while for her to sign in again */
  logOut(person: Person, ms: number, again: () => void): void {
    const scene = this.#scene;
    const { name, phone } = person;
    if (!phone.isRead || person.isOut || scene.outSince !== null) return;
    scene.story.tell(`${name} logs out`);
    scene.closingUntil = Number.POSITIVE_INFINITY;
    this.#leaving.set(person, []);
    const onClosing = (entries: readonly OutboxEntry[]): void => {
      this.#leaving.set(
        person,
        entries.flatMap((entry) => this.#closeOf(person, entry)),
      );
    };
    const over = (isOut: boolean): void => {
      const closes = this.#leaving.get(person) ?? [];
      this.#leaving.delete(person);
      scene.closingUntil = scene.time.now + UNDER_WAY_MS;
      scene.happenedAt = scene.time.now;
      // All sessions have ended meanwhile, and she signs in again.
      if (scene.outSince !== null || person.isOut) return;
      if (!isOut) {
        scene.story.tell(`${name} is not logged out, and stays`);
        person.wokeAt = scene.time.now;
        return;
      }
      for (const press of closes) this.#orders.tookBack(press);
      scene.story.tell(`${name} is logged out`);
      person.isOut = true;
      person.outSince = scene.time.now;
      scene.time.after(ms, () => {
        if (person.outSince === null || scene.outSince !== null) return;
        scene.story.tell(`${name} signs in again`);
        phone.close();
        again();
      });
    };
    phone.logOutAfterClosing(onClosing).then(over, () => over(false));
  }

  /** Return the press that a stored close of a log-out is. */
  #closeOf({ name, presses }: Person, entry: OutboxEntry): Press[] {
    if (entry.kind !== "close") return [];
    const { now: at } = this.#scene.time;
    const valve = this.#scene.valve(entry.number);
    const press: Press = {
      ...({ by: name, at, countsFrom: at, target: 2, valve } as const),
      ...{ commandId: entry.id, runMs: 0 },
    };
    this.#scene.story.tell(`${name}'s log-out closes ${valve.name}`);
    presses.set(entry.id, press);
    this.#orders.pressed(press);
    return [press];
  }

  look(): void {
    this.#upstream.note(this.#scene.isUpstreamWell, this.#scene.time.now);
  }

  /**
   * W-3: a log-out is carried out only when no valve is open whose end the relay keeps, if it has no session of its own: it
   * could not close it any more.
   */
  #lookAtLogOut(): void {
    const { bounds, time, valves } = this.#scene;
    const { wellSince } = this.#upstream;
    if (!this.#isUnwatched || wellSince === null) return;
    for (const valve of valves) {
      const openSince = this.#orders.knownOpenSince(valve);
      // A valve that was turned by hand runs without an end.
      if (!valve.isOpen || !valve.last?.commandId || this.#orders.runEnd(valve) === null) continue;
      const openMs = openSince === null ? 0 : time.now - Math.max(openSince, wellSince);
      const isKnown = openMs > bounds.shownMs || (openSince !== null && this.#isOpenedBefore(valve));
      if (!isKnown && !this.#isJustClosing(valve)) continue;
      this.#scene.break(
        "W-3",
        `a log-out took the last means to close ${valve.name}, which was open for ${inSeconds(time.now - valve.last.at)}`,
      );
    }
  }

  /**
   * Return true if a valve is open by what one who leaves now has last wanted of it, or is one that the log-out itself
   * closes: the relay knows either at once.
   */
  #isOpenedBefore(valve: Valve): boolean {
    const press = this.#orders.lastPress(valve);
    if (press === null) return false;
    return [...this.#leaving].some(([{ name }, closes]) => {
      if (closes.includes(press)) return true;
      const sentAt = press.target === 1 && press.by === name ? this.#runs.sentAt(press.commandId) : null;
      return sentAt !== null && this.#scene.time.now - sentAt <= OPENING_MS;
    });
  }

  /** Return true if the log-out has begun to close a valve so shortly ago that nothing can have proved it yet. */
  #isJustClosing(valve: Valve): boolean {
    const closes = [...this.#leaving.values()].flat();
    return closes.some((press) => press.valve === valve && this.#scene.time.now - press.at < UNPROVED_MS);
  }
}

import { CONTROLLER, SENSOR } from "../devices/furnish.ts";
import type { Valve } from "../devices/truth.ts";
import type { Person } from "../people/person.ts";
import type { Scene } from "../scene/scene.ts";
import { inSeconds } from "../scene/story.ts";
import type { Flips } from "./flips.ts";
import { lieOf, wordsOf } from "./lies.ts";
import type { Orders } from "./orders.ts";
import { rejuvenated } from "./readings.ts";
import type { Reports } from "./reports.ts";
import { unrestOf } from "./rest.ts";

/** The screens as people see them, and the limits of that: W-1, W-4, W-5, W-10 and W-12. */
export class Screens {
  readonly #scene: Scene;
  readonly #orders: Orders;
  readonly #reports: Reports;
  readonly #flips: Flips;

  constructor(scene: Scene, orders: Orders, reports: Reports, flips: Flips) {
    this.#scene = scene;
    this.#orders = orders;
    this.#reports = reports;
    this.#flips = flips;
  }

  /** Note which ways to the screens are well. */
  noteWays(): void {
    const { bundled, isDeviceWell, isUpstreamWell, people, time } = this.#scene;
    if (bundled?.isStoreWell === false) this.#scene.storeTroubledAt = time.now;
    for (const person of people) {
      const { line, phone, toPhone, toScreen, toValve } = person;
      const isWell = isUpstreamWell && line.isWell;
      const isRead = phone.isRead && this.#scene.outSinceOf(person) === null;
      toPhone.note(isWell, time.now);
      toScreen.note(isWell && isRead, time.now);
      toValve.note(isWell && isRead && isDeviceWell, time.now);
    }
  }

  /** Look at a valve on every screen. */
  lookAt(valve: Valve): void {
    for (const person of this.#scene.people) this.#lookAtScreen(person, valve);
    for (const person of this.#scene.people) this.#lookAtAlarms(person, valve);
  }

  /** Look at the rest of every screen. */
  look(): void {
    for (const person of this.#scene.people) {
      this.#lookForRest(person);
      this.#lookAtOut(person);
      this.#lookAtReading(person);
    }
  }

  /** W-5: no number on the screen is made younger than it is. */
  #lookAtReading({ name, phone }: Person): void {
    const sensor = this.#scene.sensor;
    const shown = sensor && phone.isRead ? phone.showsReading(SENSOR.id, "soilTemperature") : null;
    const wrong = sensor && shown && rejuvenated(sensor.measured, shown, this.#scene.apiOffsets);
    if (wrong) this.#scene.break("W-5", `${name}'s screen ${wrong}`);
  }

  /** W-10: who is out sees nothing live. */
  #lookAtOut(person: Person): void {
    const { name, phone, toPhone, wokeAt } = person;
    const { since, endedAt } = toPhone;
    const outSince = this.#scene.outSinceOf(person);
    if (outSince === null || since !== null || !phone.isLive) return;
    const { storeTroubledAt, time } = this.#scene;
    const outMs = time.now - Math.max(outSince, endedAt, wokeAt, storeTroubledAt);
    if (outMs > this.#scene.bounds.outMs)
      this.#scene.break("W-10", `${name}'s screen is live ${inSeconds(outMs)} after her access ended`);
  }

  /** W-12: a while after the last fault everything is live, true and quiet. */
  #lookForRest(person: Person): void {
    const { name, phone, toValve, wokeAt } = person;
    const { wellSince } = toValve;
    if (wellSince === null || this.#scene.valves.some(({ isStuck }) => isStuck)) return;
    // What a plain farm API does not answer, no screen can show.
    const { plain } = this.#scene;
    if (plain && this.#scene.valves.some((valve) => plain.answersOpen(valve) !== valve.isOpen)) return;
    const turnedAt = this.#scene.valves.map((valve) =>
      Math.max(valve.last?.at ?? 0, this.#orders.freedAt(valve)),
    );
    if (
      this.#scene.time.now - Math.max(wellSince, this.#scene.troubledAt, wokeAt, ...turnedAt) <=
      this.#scene.bounds.quietMs
    )
      return;
    const valves = this.#scene.valves.map((valve) => ({
      valve,
      shown: phone.shows(CONTROLLER.serial, valve.number),
    }));
    // A log of movements says nothing about a controller whose valves rest (ONL-1).
    const { logsReports = true, hasTime = true } = this.#scene.plan.plain ?? {};
    const unanswered = phone.unanswered.filter(({ ended }) => ended === undefined).length;
    const alarms = this.#flips.unexplained(phone.alarms);
    const unrest = unrestOf(valves, alarms, unanswered, !logsReports && !hasTime);
    if (unrest === null) person.restlessSince = null;
    else person.restlessSince ??= this.#scene.time.now;
    // A run that ends by itself takes its time.
    if (unrest === null || this.#scene.time.now - (person.restlessSince ?? 0) <= this.#scene.bounds.turnMs)
      return;
    this.#scene.break("W-12", `nothing was wrong for 2 minutes, and on ${name}'s screen ${unrest}`);
  }

  #lookAtScreen(person: Person, valve: Valve): void {
    const { name, phone, read, lied, toPhone, wokeAt } = person;
    if (!phone.isRead) return;
    const shown = phone.shows(CONTROLLER.serial, valve.number);
    const words = shown ? wordsOf(shown) : "not listed";
    if (words !== read.get(valve)) this.#scene.story.tell(`${name} reads: ${valve.name} ${words}`);
    read.set(valve, words);
    if (!shown) return;
    const facts = {
      now: this.#scene.time.now,
      reportedAt: this.#reports.reportedAt(valve),
      way: toPhone,
      wokeAt,
      believedUntil: this.#reports.believedUntil(valve),
    };
    const lie = lieOf(shown, valve, facts, this.#scene.bounds);
    // Who is out is owed nothing but the end of the page (W-10).
    if (this.#scene.outSinceOf(person) !== null) return;
    // A picture of a moment cannot be read.
    if (lie !== null && lied.has(valve)) this.#scene.break("W-1", `the screen of ${name} ${lie}`);
    if (lie === null) lied.delete(valve);
    else lied.add(valve);
  }

  /** W-4: water that runs past its end is an urgent alarm on the screen within a minute. */
  #lookAtAlarms({ name, phone, toScreen, wokeAt }: Person, valve: Valve): void {
    const end = this.#orders.runEnd(valve);
    const { wellSince } = toScreen;
    // A valve that was turned by hand runs without an end.
    const knownAt = this.#orders.knownOpenSince(valve);
    if (!valve.isOpen || end === null || valve.last?.commandId === null || wellSince === null) return;
    if (knownAt === null) return;
    const since = Math.max(end, wellSince, knownAt);
    if (this.#scene.time.now - since <= this.#scene.bounds.alarmMs || !phone.isRead) return;
    // A page that begins, or wakes, has to ask first.
    if (this.#scene.time.now - wokeAt <= this.#scene.bounds.againMs) return;
    if (phone.alarms.some(({ priority, active }) => priority === 1 && active)) return;
    this.#scene.break(
      "W-4",
      `water runs in ${valve.name} ${inSeconds(this.#scene.time.now - end)} past its end, and ${name}'s screen has no urgent alarm`,
    );
  }
}

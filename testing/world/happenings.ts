import { CONTROLLER } from "./devices/furnish.ts";
import type { Valve } from "./devices/truth.ts";
import type { Person } from "./people/person.ts";
import type { Phone } from "./people/phone.ts";
import type { Press } from "./people/press.ts";
import type { BadAnswers } from "./plan/plain-plan.ts";
import type { Failing, Happening, LineName, PersonName, SetClock, StoreFault } from "./plan/plan.ts";
import type { ServerClockOwner } from "./plan/server-clocks.ts";
import type { Access } from "./rules/access.ts";
import type { AdminCloses } from "./rules/admin-closes.ts";
import type { Charges } from "./rules/charges.ts";
import type { Creations } from "./rules/creations.ts";
import type { Links } from "./rules/links.ts";
import type { LogOuts } from "./rules/log-outs.ts";
import type { Orders } from "./rules/orders.ts";
import type { Reports } from "./rules/reports.ts";
import type { Runs } from "./rules/runs.ts";
import type { Saves } from "./rules/saves.ts";
import type { Scene } from "./scene/scene.ts";
import { inSeconds } from "./scene/story.ts";
import { FARMER } from "./servers/plain-farm-api.ts";

/** Delay before a person tries to sign in again, ms. */
const LOGIN_AGAIN_MS = 5_000;

/** Return the presses of a command: several for one that closes all valves. */
const pressesOf = (presses: ReadonlyMap<string, Press>, id: string): readonly Press[] =>
  [...presses.values()].filter(({ commandId }) => commandId === id || commandId.startsWith(`${id}/`));

/** Everything that happens in a world by its plan: what people do, and what goes wrong. */
export class Happenings {
  readonly #scene: Scene;
  readonly #orders: Orders;
  readonly #reports: Reports;
  readonly #access: Access;
  readonly #runs: Runs;
  readonly #saves: Saves;
  readonly #charges: Charges;
  readonly #creations: Creations;
  readonly #links: Links;
  readonly #adminCloses: AdminCloses;
  readonly #logOuts: LogOuts;
  #badUntil = 0;

  constructor(
    scene: Scene,
    orders: Orders,
    reports: Reports,
    access: Access,
    runs: Runs,
    saves: Saves,
    charges: Charges,
    creations: Creations,
    links: Links,
    adminCloses: AdminCloses,
    logOuts: LogOuts,
  ) {
    this.#scene = scene;
    this.#orders = orders;
    this.#reports = reports;
    this.#access = access;
    this.#runs = runs;
    this.#saves = saves;
    this.#charges = charges;
    this.#creations = creations;
    this.#links = links;
    this.#adminCloses = adminCloses;
    this.#logOuts = logOuts;
    for (const { name, phone, presses, refused } of scene.people) {
      phone.onCloseTaken = (commandId) => {
        for (const press of pressesOf(presses, commandId)) {
          orders.closeTaken(press);
          runs.closeTaken(press);
        }
      };
      phone.onOpening = (commandId, outcome) => {
        if (outcome.kind !== "refused") return;
        refused.add(commandId);
        scene.story.tell(`${name}'s screen says that the opening was refused: ${outcome.reason}`);
      };
    }
  }

  /** Let something happen now. */
  happen(happening: Happening): void {
    this.#scene.happenedAt = this.#scene.time.now;
    const person = "who" in happening ? this.#scene.person(happening.who) : this.#scene.person();
    if (!person) return;
    switch (happening.kind) {
      case "open":
        this.#pressOpen(person, this.#scene.valve(happening.valve), happening.seconds);
        return;
      case "close":
        this.#pressClose(person, this.#scene.valve(happening.valve));
        return;
      case "close-all":
        this.#pressCloseAll(person);
        return;
      case "admin-close":
        this.#adminCloses.want(this.#scene.valve(happening.valve), happening.afterMs);
        return;
      case "admin-reload":
        this.#adminCloses.reload();
        return;
      case "take-back":
        this.#takeBack(person);
        return;
      case "save":
        this.#saves.save(person, happening.thing, happening.valve);
        return;
      case "charge":
        this.#charges.press(person, happening.valve, happening.act);
        return;
      case "creation":
        this.#creations.press(person, happening.thing, happening.act);
        return;
      case "link":
        this.#links.press(person, happening.valve);
        return;
      case "reload":
        if (!person.phone.isRead) return;
        this.#scene.story.tell(`${person.name} reloads the page`);
        person.wokeAt = this.#scene.time.now;
        person.phone.reload();
        return;
      case "sleep":
        this.#sleep(person, happening.ms);
        return;
      case "shut-out":
      case "suspend":
      case "new-password":
      case "delete":
      case "log-out":
      case "revoke-wall":
      case "wall-power":
        if (this.#scene.plain === null) this.#access.end(happening);
        else if (happening.kind === "shut-out") this.#shutOut(happening.ms);
        else if (happening.kind === "log-out") this.#logOut(happening.person, happening.ms);
        return;
      case "stop-watching":
        this.#logOuts.stopWatching(person);
        return;
      case "hand": {
        const valve = this.#scene.valve(happening.valve);
        this.#scene.story.tell(`a hand ${happening.open ? "opens" : "closes"} ${valve.name}`);
        this.#orders.turnedByHand(valve);
        this.#runs.turnedByHand(valve);
        this.#scene.controller.turnByHand(valve, happening.open);
        return;
      }
      case "stick": {
        const valve = this.#scene.valve(happening.valve);
        if (valve.isStuck) return;
        this.#scene.story.tell(`${valve.name} sticks, ${valve.isOpen ? "open" : "closed"}`);
        valve.isStuck = true;
        if (happening.ms === undefined) return;
        this.#scene.time.after(happening.ms, () => {
          this.#scene.story.tell(`${valve.name} can be turned again`);
          valve.isStuck = false;
          this.#orders.freed(valve);
        });
        return;
      }
      case "hold": {
        const { direction, line, ms } = happening;
        this.#scene.story.tell(`the line ${line} is held (${direction}) for ${inSeconds(ms)}`);
        this.#scene.lines[line].hold(...(direction === "both" ? (["there", "back"] as const) : [direction]));
        this.#mendLater(line, ms);
        return;
      }
      case "cut":
        this.#scene.story.tell(`the line ${happening.line} is cut for ${inSeconds(happening.ms)}`);
        this.#scene.lines[happening.line].cut();
        this.#mendLater(happening.line, happening.ms);
        return;
      case "slow":
        this.#scene.story.tell(
          `the line ${happening.line} is slow by ${happening.byMs} ms for ${inSeconds(happening.ms)}`,
        );
        this.#scene.lines[happening.line].slow(happening.byMs);
        this.#mendLater(happening.line, happening.ms);
        return;
      case "kill":
        this.#kill(happening.machine, happening.ms);
        return;
      case "freeze":
        this.#freeze(happening.machine, happening.ms);
        return;
      case "restart":
        this.#restart(happening.machine, happening.ms);
        return;
      case "fail-over":
        this.#failOver();
        return;
      case "store":
        this.#troubleStore(happening.how, happening.ms);
        return;
      case "relay-store":
        this.#fillRelayStore(happening.ms);
        return;
      case "set-clock":
        this.#setClock(happening.of, happening.byMs);
        return;
      case "set-server-clock":
        this.#setServerClock(happening.of, happening.byMs);
        return;
      case "bad-answers":
        this.#answerBadly(happening.how, happening.ms);
        return;
    }
  }

  #sleep(person: Person, ms: number): void {
    const { name, phone } = person;
    if (!phone.isRead) return;
    this.#scene.story.tell(`${name}'s phone sleeps for ${inSeconds(ms)}`);
    phone.sleep();
    this.#scene.time.after(ms, () => {
      this.#scene.story.tell(`${name} wakes the phone`);
      person.wokeAt = this.#scene.time.now;
      phone.wake();
    });
  }

  #mendLater(line: LineName, ms: number): void {
    this.#scene.time.after(ms, () => {
      if (this.#scene.lines[line].isWell) return;
      this.#scene.story.tell(`the line ${line} is well again`);
      this.#scene.lines[line].mend();
    });
  }

  #kill(name: Failing, ms: number): void {
    if (!this.#scene.machine(name)?.isWorking) return;
    if (name === "api" && this.#scene.api.app === null) return;
    const relay = this.#scene.relay(name);
    if (relay && relay.app === null) return;
    this.#scene.story.tell(`the ${name} is killed, and starts after ${inSeconds(ms)}`);
    if (name === "api") {
      this.#reports.apiLost();
      this.#scene.api.kill();
    } else if (relay) relay.kill();
    else if (name === "redis") this.#scene.redis?.kill();
    else if (name === "controller") this.#scene.controller.powerOff();
    else if (name === "sensor" || name === "meter") this.#scene[name]?.powerOff();
    this.#scene.time.after(ms, () => this.#start(name));
  }

  /** A relay ends in order, and starts again. */
  #restart(name: Failing, ms: number): void {
    const relay = this.#scene.relay(name);
    if (!relay?.machine.isWorking || relay.app === null) return;
    this.#scene.story.tell(`the ${name} is stopped, and starts ${inSeconds(ms)} after its end`);
    const { app } = relay;
    relay.stop().then(
      () => {
        if (relay.app !== null || relay.machine.isOn) return;
        this.#scene.time.after(ms, () => {
          if (!relay.machine.isOn) this.#start(name);
        });
      },
      (error: unknown) => this.#scene.log.push(`${name}: ${String(error)} (${app === relay.app})`),
    );
  }

  #failOver(): void {
    const { redis, story } = this.#scene;
    if (!redis?.machine.isWorking) return;
    story.tell("the replica of Redis takes over");
    redis.failOver();
  }

  #troubleStore(how: StoreFault, ms: number): void {
    const { bundled, story, time } = this.#scene;
    if (!bundled?.isStoreWell) return;
    story.tell(`the database is ${how} for ${inSeconds(ms)}`);
    bundled.troubleStore(how, time);
    time.after(ms, () => {
      story.tell("the database is well again");
      bundled.troubleStore(null, time);
    });
  }

  #fillRelayStore(ms: number): void {
    const [relay] = this.#scene.relays.all;
    const { story, time } = this.#scene;
    if (!relay?.app || !relay.machine.isWorking || !relay.isStoreWell) return;
    story.tell(`the store of the relay takes no changes for ${inSeconds(ms)}`);
    relay.fillStore(true);
    time.after(ms, () => {
      if (relay.isStoreWell) return;
      story.tell("the store of the relay takes changes again");
      relay.fillStore(false);
      this.#scene.happenedAt = time.now;
    });
  }

  #setClock(of: SetClock, byMs: number): void {
    const isServerOrDevice = of === "relay" || of === "sensor";
    const machine = isServerOrDevice ? this.#scene.machine(of) : this.#scene.person(of)?.phone.machine;
    if (!machine) return;
    this.#scene.story.tell(`the clock of ${of} is set by ${inSeconds(byMs)}`);
    machine.step(byMs);
    if (of === "relay") this.#runs.clockSet(byMs);
  }

  #setServerClock(of: ServerClockOwner, byMs: number): void {
    const { api, story, time } = this.#scene;
    this.#scene.apiSetAt = time.now;
    if (byMs < 0) this.#scene.apiSetBackAt = time.now;
    story.tell(`the clock of ${of === "api" ? "the farm API" : "the server"} is set by ${inSeconds(byMs)}`);
    api.machine.step(byMs);
    if (of === "api") return;
    this.#scene.machine("relay")?.step(byMs);
    this.#runs.clockSet(byMs);
  }

  #start(name: Failing): void {
    // Its database has to be there: else it waits for it.
    if (name === "api" && this.#scene.bundled?.isStoreWell === false) {
      this.#scene.time.after(1_000, () => this.#start(name));
      return;
    }
    this.#scene.story.tell(`the ${name} starts`);
    const relay = this.#scene.relay(name);
    if (relay) this.#scene.startRelay(relay);
    else if (name === "redis") this.#scene.redis?.start();
    else if (name === "controller") this.#scene.controller.powerOn();
    else if (name === "sensor" || name === "meter") this.#scene[name]?.powerOn();
    // It takes no time in the world: its length here depends on this machine.
    else if (name === "api") this.#scene.standStill(this.#scene.api.start());
  }

  #freeze(name: Failing, ms: number): void {
    const machine = this.#scene.machine(name);
    if (!machine?.isWorking) return;
    this.#scene.story.tell(`the ${name} freezes for ${inSeconds(ms)}`);
    machine.freeze();
    this.#scene.time.after(ms, () => {
      if (!machine.isFrozen) return;
      this.#scene.story.tell(`the ${name} goes on`);
      machine.thaw();
    });
  }

  #answerBadly(how: BadAnswers, ms: number): void {
    const { plain, story, time } = this.#scene;
    if (!plain) return;
    story.tell(`the farm API answers badly (${how}) for ${inSeconds(ms)}`);
    plain.answerBadly(how);
    const until = time.now + ms;
    this.#badUntil = until;
    time.after(ms, () => {
      if (this.#badUntil !== until) return;
      story.tell("the farm API answers well again");
      plain.answerBadly(null);
    });
  }

  /** End all sessions at a plain farm API. */
  #shutOut(ms: number): void {
    // Who has logged out signs in again by herself.
    if (this.#scene.outSince !== null || this.#scene.people.some(({ outSince }) => outSince !== null)) return;
    this.#scene.plain?.endSessions();
    for (const person of this.#scene.people) person.isOut = true;
    this.#scene.outSince = this.#scene.time.now;
    this.#scene.story.tell("all sessions of the account are ended");
    this.#scene.time.after(ms, () => this.#logInAgain());
  }

  #logInAgain(): void {
    this.#scene.story.tell("they sign in again");
    for (const person of this.#scene.people) {
      person.phone.close();
      this.logIn(person);
    }
  }

  #logOut(name: PersonName, ms: number): void {
    const person = this.#scene.person(name);
    if (person) this.#logOuts.logOut(person, ms, () => this.logIn(person));
  }

  /** A person signs in on the login page, again until it succeeds. */
  logIn(person: Person): void {
    const { name, phone } = person;
    const done = (): void => {
      this.#scene.story.tell(`${name} is signed in`);
      person.isOut = false;
      this.#logOuts.signedIn(person);
      if (this.#scene.people.some(({ isOut }) => isOut)) return;
      this.#scene.outSince = null;
      this.#scene.happenedAt = this.#scene.time.now;
    };
    const failed = (): void => void this.#scene.time.after(LOGIN_AGAIN_MS, () => this.logIn(person));
    person.isOut = true;
    this.#logOuts.signsIn();
    phone.logIn(FARMER.username, FARMER.password).then(done, failed);
  }

  /** Return the earliest moment of a press now, true time, ms UTC: never later than the press. */
  #countsFrom({ pressedFrom }: Phone): number {
    const { storeTime, time } = this.#scene;
    const lagMs = pressedFrom === null ? 0 : storeTime - pressedFrom;
    return time.now - Math.max(0, lagMs);
  }

  #pressOpen({ name, phone, presses }: Person, valve: Valve, runSeconds: number): void {
    const shown = phone.shows(CONTROLLER.serial, valve.number);
    const countsFrom = this.#countsFrom(phone);
    const commandId = shown && phone.pressOpen(shown, runSeconds);
    if (!commandId) return;
    this.#scene.story.tell(`${name} opens ${valve.name} for ${runSeconds} s`);
    const at = this.#scene.time.now;
    const runMs = runSeconds * 1_000;
    const press: Press = { by: name, at, countsFrom, target: 1, valve, commandId, runMs };
    presses.set(commandId, press);
    this.#orders.pressed(press);
  }

  #pressClose({ name, phone, presses }: Person, valve: Valve): void {
    const shown = phone.shows(CONTROLLER.serial, valve.number);
    const countsFrom = this.#countsFrom(phone);
    const commandId = shown && phone.pressClose(shown);
    if (!commandId) return;
    this.#scene.story.tell(`${name} closes ${valve.name}`);
    const at = this.#scene.time.now;
    const press: Press = { by: name, at, countsFrom, target: 2, valve, commandId, runMs: 0 };
    presses.set(commandId, press);
    this.#orders.pressed(press);
  }

  #pressCloseAll({ name, phone, presses }: Person): void {
    const countsFrom = this.#countsFrom(phone);
    const shown = this.#scene.valves.filter(({ number }) => phone.shows(CONTROLLER.serial, number));
    const id = shown.length > 0 ? phone.pressCloseAll() : null;
    if (id === null) return;
    this.#scene.story.tell(`${name} closes all valves`);
    const at = this.#scene.time.now;
    for (const valve of shown) {
      const commandId = `${id}/${valve.number}`;
      const press: Press = { by: name, at, countsFrom, target: 2, valve, commandId, runMs: 0 };
      presses.set(commandId, press);
      this.#orders.pressed(press);
    }
  }

  #takeBack({ name, phone, presses }: Person): void {
    if (!phone.isRead) return;
    for (const { id, kind } of phone.unanswered) {
      if (kind !== "close" && kind !== "close-all") continue;
      const taken = pressesOf(presses, id);
      if (taken.length === 0) continue;
      const names = taken.map(({ valve }) => valve.name).join(" and ");
      this.#scene.story.tell(`${name} takes back the close of ${names}`);
      phone.takeBack(id);
      for (const press of taken) this.#orders.tookBack(press);
    }
  }
}

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { seededRandom } from "@mulkko/shared/testing/random";
import { hashSecret } from "../../api/src/accounts/key.ts";
import { insertAccount } from "../../api/src/accounts/repository.ts";
import { beginSession, revokeAllSessions } from "../../api/src/accounts/sessions.ts";
import type { App as ApiApp } from "../../api/src/http/server.ts";
import type { InProcessPglite } from "../../api/testing/in-process-pglite.ts";
import { type MqttMessage, WorldBroker } from "./broker.ts";
import { FarmApi } from "./farm-api.ts";
import {
  BOUNDS,
  type Invariant,
  lieOf,
  type Press,
  rejuvenated,
  Trouble,
  unkeptOf,
  unrestOf,
  type Violation,
  wordsOf,
} from "./invariants.ts";
import { Line } from "./line.ts";
import { Machine } from "./machine.ts";
import { NativeController } from "./native-controller.ts";
import { Person } from "./person.ts";
import { Phone } from "./phone.ts";
import type { Failing, Happening, LineName, PersonName, Plan, Watering } from "./plan.ts";
import { Relay } from "./relay.ts";
import { Schedule } from "./schedule.ts";
import { Sensor } from "./sensor.ts";
import { settled, untilDone } from "./settled.ts";
import { Story } from "./story.ts";
import { Tasmota } from "./tasmota.ts";
import { Valve } from "./truth.ts";
import type { Order, ValveController } from "./valve-controller.ts";
import { WorldTime } from "./world-time.ts";

/** Files in memory, where there are any: a world writes much and keeps nothing. */
const MEMORY = "/dev/shm";
const START = Date.UTC(2026, 10, 21, 3, 0, 0);
const ACCOUNT = buildAccount({ username: "kim" });
const CONTROLLER = { id: "20000000-0000-4000-8000-000000000001", serial: 200_001, key: "key-of-controller" };
const ADDRESS = "tasmota-of-bed";
const SENSOR = { id: "30000000-0000-4000-8000-000000000001", serial: 300_001, key: "key-of-sensor" };
const KEEP_ALIVE_MS = 30_000;
/** Time until a broker has noticed that a device is gone. */
const NOTICED_MS = KEEP_ALIVE_MS * 1.5;
const LOOK_MS = 500;
/** Time for which a mode waits after a person's deed. */
const QUIET_MS = 90_000;
/** Time for which everything is well before the first event. */
const SETTLE_MS = 20_000;
/** Asia/Seoul, the zone of a new account. */
const ZONE_MS = 9 * 3_600_000;
const RIGHT = { offsetMs: 0, drift: 0 };

/** Result of a world. */
export interface Outcome {
  readonly violation: Violation | null;
  readonly story: readonly string[];
  /** Log lines of API and relay. */
  readonly log: readonly string[];
}

/** Set a watering mode, and put it in charge. */
async function plant({ database }: ApiApp, { valve, mode, minutes, runMinutes }: Watering): Promise<void> {
  const [channel] = await database.query<{ id: number }>(
    "update channel set mode = $3, mode_revision = 1 where controller_id = $1 and number = $2 returning id",
    [CONTROLLER.id, valve, mode],
  );
  if (!channel) throw new Error(`no channel ${valve}`);
  if (mode === "period") {
    await database.query(
      "insert into watering_period (channel_id, watering_interval, watering_duration, repeat) values ($1, $2, $3, true)",
      [channel.id, minutes, runMinutes],
    );
    return;
  }
  const onTime = new Date(START + ZONE_MS + minutes * 60_000).toISOString().slice(11, 16);
  await database.query(
    "insert into watering_reservation (channel_id, on_time, watering_duration, repeat) values ($1, $2, $3, true)",
    [channel.id, onTime, runMinutes],
  );
}

/** Create account, farm, controller and valves, as after a registration. */
async function furnish(app: ApiApp, valves: readonly Valve[], plan: Plan): Promise<void> {
  const { database } = app;
  await insertAccount(
    database,
    { id: `${ACCOUNT.id}`, username: ACCOUNT.username, passwordHash: "-", nickname: "Kim", userType: "USER" },
    START,
  );
  await database.query("insert into cluster (account_id, name) values ($1, 'House')", [`${ACCOUNT.id}`]);
  await database.query(
    "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, 'controller', $3, $4, $5)",
    [CONTROLLER.id, CONTROLLER.serial, `${ACCOUNT.id}`, hashSecret(CONTROLLER.key), new Date(START)],
  );
  const { driver = "native" } = plan.controller;
  await database.query(
    "insert into controller (id, name, type, driver, address) values ($1, 'Valve box', 'CON04V', $2, $3)",
    [CONTROLLER.id, driver, driver === "native" ? null : ADDRESS],
  );
  await database.query(
    "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, 'sensor', $3, $4, $5)",
    [SENSOR.id, SENSOR.serial, `${ACCOUNT.id}`, hashSecret(SENSOR.key), new Date(START)],
  );
  await database.query("insert into sensor (id, name, device_type) values ($1, 'Bed', 'SMS')", [SENSOR.id]);
  for (const { number } of valves) {
    await database.query("insert into channel (controller_id, number) values ($1, $2)", [
      CONTROLLER.id,
      number,
    ]);
  }
  for (const watering of plan.waterings ?? []) await plant(app, watering);
  await app.deviceIndex.reload();
}

/** One world: built from a plan, run once. */
export class World {
  readonly #plan: Plan;
  readonly #time = new WorldTime(START, settled);
  readonly #story = new Story(START, () => this.#time.now);
  readonly #folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "mulkko-world-"));
  readonly #log: string[] = [];
  readonly #broker = new WorldBroker(this.#time);
  readonly #valves: readonly Valve[];
  readonly #lines: Readonly<Record<LineName, Line>>;
  readonly #api: FarmApi;
  readonly #relay: Relay;
  readonly #people: readonly Person[];
  readonly #controller: ValveController;
  readonly #schedule: Schedule;
  /** The way from the farm API to each valve that its mode may open. */
  readonly #modeWays = new Map<Valve, Trouble>();
  #lookedAt = START;
  /** Null in stored worlds without one. */
  readonly #sensor: Sensor | null;
  readonly #database: InProcessPglite;
  #orderHeldAt = START;
  /** The last press about each valve. */
  readonly #wish = new Map<Valve, Press>();
  /** Last end of the runs that a person wanted of each valve. */
  readonly #runEnds = new Map<Valve, number>();
  /** When each valve could last be turned again. */
  readonly #freedAt = new Map<Valve, number>();
  /** Arrival of the last report of each valve at the API, whatever it said. */
  readonly #spokeAt = new Map<Valve, number>();
  /** When the broker last noticed that the controller is gone, or ended itself with its API. */
  #lostAt = Number.NEGATIVE_INFINITY;
  /** Arrival of the first report of each valve's present state at the API. */
  readonly #reportedAt = new Map<Valve, number>();
  #heardAt = START;
  /** Time of the last happening of the plan, or of the sign-in that ended one. */
  #happenedAt = START;
  /** Since when all sessions of the account are over; null while it has some. */
  #outSince: number | null = null;
  readonly #starting: Promise<unknown>[] = [];
  #violation: Violation | null = null;

  constructor(plan: Plan, database: InProcessPglite) {
    this.#plan = plan;
    this.#database = database;
    const time = this.#time;
    const random = (part: number) => seededRandom(plan.seed * 31 + part);
    const machine = (name: string) => {
      const wrong = plan.clocks?.find(({ of }) => of === name);
      return new Machine(name, time, wrong ?? RIGHT);
    };
    const [api, relay, kim, lee, controller, sensor] = [
      machine("api"),
      machine("relay"),
      machine("kim"),
      machine("lee"),
      machine("controller"),
      machine("sensor"),
    ];
    this.#lines = {
      "phone-relay": new Line(kim, relay, time, random(1)),
      "lee-relay": new Line(lee, relay, time, random(8)),
      "relay-api": new Line(relay, api, time, random(2)),
      "relay-broker": new Line(relay, api, time, random(3)),
      "controller-broker": new Line(controller, api, time, random(4)),
      "sensor-broker": new Line(sensor, api, time, random(7)),
    };
    const common = { time, folder: this.#folder, lines: this.#log, broker: this.#broker };
    this.#api = new FarmApi({ ...common, machine: api, database });
    this.#relay = new Relay({
      ...common,
      machine: relay,
      api: this.#api,
      toApi: this.#lines["relay-api"],
      toBroker: this.#lines["relay-broker"],
      random: random(5),
    });
    const person = (name: PersonName, owner: Machine, line: Line, part: number): Person => {
      const phone = new Phone({
        time,
        machine: owner,
        line,
        relay: this.#relay,
        random: random(part),
        onError: (error) => this.#log.push(`${name}: ${String(error)}`),
      });
      return new Person(name, phone, line, START);
    };
    const everyone = {
      kim: person("kim", kim, this.#lines["phone-relay"], 6),
      lee: person("lee", lee, this.#lines["lee-relay"], 9),
    };
    this.#people = (plan.people ?? ["kim"]).map((name) => everyone[name]);
    this.#valves = [new Valve("bed 1", 1), new Valve("bed 2", 2)];
    const { key, serial } = CONTROLLER;
    const line = this.#lines["controller-broker"];
    const box = { time, machine: controller, serial, key, line, broker: this.#broker, valves: this.#valves };
    const { driver, reportMs } = plan.controller;
    this.#controller =
      driver === "tasmota"
        ? new Tasmota(box, { address: ADDRESS, reportMs, keepAliveMs: KEEP_ALIVE_MS })
        : new NativeController(box, { ...plan.controller, keepAliveMs: KEEP_ALIVE_MS });
    this.#schedule = new Schedule(
      (plan.waterings ?? []).map((one) => ({ ...one, valve: this.#valve(one.valve) })),
      START,
      START + SETTLE_MS + plan.lengthMs,
    );
    for (const valve of this.#valves) this.#modeWays.set(valve, new Trouble());
    this.#sensor = plan.sensor
      ? new Sensor(
          { ...SENSOR, time, machine: sensor, line: this.#lines["sensor-broker"], broker: this.#broker },
          { ...plan.sensor, keepAliveMs: KEEP_ALIVE_MS },
        )
      : null;
    this.#controller.onObeyed = (order) => this.#obeyed(order);
    for (const { name, phone, refused } of this.#people) {
      phone.onOpening = (commandId, outcome) => {
        if (outcome.kind !== "refused") return;
        refused.add(commandId);
        this.#story.tell(`${name}'s screen says that the opening was refused: ${outcome.reason}`);
      };
    }
    this.#broker.onTaken = (message) => this.#taken(message);
    this.#broker.onPacket = (serial) => {
      if (serial === CONTROLLER.serial) this.#heardAt = time.now;
    };
    this.#broker.onLost = (serial) => {
      if (serial === CONTROLLER.serial) this.#lostAt = time.now;
    };
    this.#relay.onCommand = (commandId) => this.#sent(commandId);
  }

  /** Run it to its end, or until a rule is broken. */
  async run(): Promise<Outcome> {
    try {
      const app = await this.#api.start();
      await furnish(app, this.#valves, this.#plan);
      await this.#relay.start();
      for (const one of this.#people) await this.#signIn(one, app);
      this.#controller.powerOn();
      this.#sensor?.powerOn();
      for (const { phone } of this.#people) phone.open();
      await this.#time.run(START + SETTLE_MS);
      for (const happening of this.#plan.happenings) {
        this.#time.at(START + SETTLE_MS + happening.at, () => this.#happen(happening));
      }
      const look = (): void => {
        this.#look();
        this.#time.after(LOOK_MS, look);
      };
      look();
      const end = START + SETTLE_MS + this.#plan.lengthMs;
      while (this.#time.now < end && this.#violation === null) {
        await this.#time.run(Math.min(end, this.#time.now + LOOK_MS));
      }
      if (this.#violation === null) await this.#lookAtHistory();
      return { violation: this.#violation, story: this.#story.lines, log: this.#log };
    } finally {
      for (const { phone } of this.#people) phone.close();
      this.#controller.powerOff();
      this.#sensor?.powerOff();
      // A process that is dropped while it starts would end later, in another world.
      for (const line of Object.values(this.#lines)) line.mend();
      for (const { machine } of [this.#api, this.#relay]) machine.thaw();
      await Promise.allSettled(this.#starting);
      this.#relay.kill();
      this.#api.kill();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  #break(invariant: Invariant, text: string): void {
    if (this.#violation !== null) return;
    this.#violation = { invariant, afterMs: this.#time.now - START - SETTLE_MS, text };
    this.#story.tell(`${invariant}: ${text}`);
  }

  #valve(number: number): Valve {
    const valve = this.#valves[number - 1];
    if (!valve) throw new RangeError(`no valve ${number}`);
    return valve;
  }

  /** Return a person of the plan; null for one that this world has not. */
  #person(name: PersonName = "kim"): Person | null {
    return this.#people.find((one) => one.name === name) ?? null;
  }

  #press(commandId: string): Press | undefined {
    return this.#people.map(({ presses }) => presses.get(commandId)).find((press) => press !== undefined);
  }

  #happen(happening: Happening): void {
    this.#happenedAt = this.#time.now;
    const person = "who" in happening ? this.#person(happening.who) : this.#person();
    if (!person) return;
    switch (happening.kind) {
      case "open":
        this.#pressOpen(person, this.#valve(happening.valve), happening.seconds);
        return;
      case "close":
        this.#pressClose(person, this.#valve(happening.valve));
        return;
      case "take-back":
        this.#takeBack(person);
        return;
      case "reload":
        if (!person.phone.isRead) return;
        this.#story.tell(`${person.name} reloads the page`);
        person.phone.reload();
        return;
      case "sleep":
        this.#sleep(person, happening.ms);
        return;
      case "shut-out":
        this.#shutOut(happening.ms);
        return;
      case "hand": {
        const valve = this.#valve(happening.valve);
        this.#story.tell(`a hand ${happening.open ? "opens" : "closes"} ${valve.name}`);
        this.#wish.delete(valve);
        this.#controller.turnByHand(valve, happening.open);
        return;
      }
      case "stick": {
        const valve = this.#valve(happening.valve);
        if (valve.isStuck) return;
        this.#story.tell(`${valve.name} sticks, ${valve.isOpen ? "open" : "closed"}`);
        valve.isStuck = true;
        if (happening.ms === undefined) return;
        this.#time.after(happening.ms, () => {
          this.#story.tell(`${valve.name} can be turned again`);
          valve.isStuck = false;
          this.#freedAt.set(valve, this.#time.now);
        });
        return;
      }
      case "hold": {
        const { direction, line, ms } = happening;
        this.#story.tell(`the line ${line} is held (${direction}) for ${seconds(ms)}`);
        this.#lines[line].hold(...(direction === "both" ? (["there", "back"] as const) : [direction]));
        this.#mendLater(line, ms);
        return;
      }
      case "cut":
        this.#story.tell(`the line ${happening.line} is cut for ${seconds(happening.ms)}`);
        this.#lines[happening.line].cut();
        this.#mendLater(happening.line, happening.ms);
        return;
      case "slow":
        this.#story.tell(
          `the line ${happening.line} is slow by ${happening.byMs} ms for ${seconds(happening.ms)}`,
        );
        this.#lines[happening.line].slow(happening.byMs);
        this.#mendLater(happening.line, happening.ms);
        return;
      case "kill":
        this.#kill(happening.machine, happening.ms);
        return;
      case "freeze":
        this.#freeze(happening.machine, happening.ms);
        return;
    }
  }

  #sleep(person: Person, ms: number): void {
    const { name, phone } = person;
    if (!phone.isRead) return;
    this.#story.tell(`${name}'s phone sleeps for ${seconds(ms)}`);
    phone.sleep();
    this.#time.after(ms, () => {
      this.#story.tell(`${name} wakes the phone`);
      phone.wake();
      person.wokeAt = this.#time.now;
    });
  }

  #mendLater(line: LineName, ms: number): void {
    this.#time.after(ms, () => {
      if (this.#lines[line].isWell) return;
      this.#story.tell(`the line ${line} is well again`);
      this.#lines[line].mend();
    });
  }

  /** Return a machine; null for one that this world has not. */
  #machine(name: Failing): Machine | null {
    return {
      api: this.#api.machine,
      relay: this.#relay.machine,
      controller: this.#controller.machine,
      sensor: this.#sensor?.machine ?? null,
    }[name];
  }

  #kill(name: Failing, ms: number): void {
    if (!this.#machine(name)?.isWorking) return;
    if (name === "api" && this.#api.app === null) return;
    if (name === "relay" && this.#relay.app === null) return;
    this.#story.tell(`the ${name} is killed, and starts after ${seconds(ms)}`);
    if (name === "api") {
      this.#lostAt = this.#time.now;
      this.#api.kill();
    } else if (name === "relay") this.#relay.kill();
    else if (name === "controller") this.#controller.powerOff();
    else this.#sensor?.powerOff();
    this.#time.after(ms, () => this.#start(name));
  }

  #start(name: Failing): void {
    this.#story.tell(`the ${name} starts`);
    if (name === "controller") this.#controller.powerOn();
    else if (name === "sensor") this.#sensor?.powerOn();
    // It takes no time in the world: its length here depends on this machine.
    else this.#starting.push(untilDone<unknown>(name === "api" ? this.#api.start() : this.#relay.start()));
  }

  #freeze(name: Failing, ms: number): void {
    const machine = this.#machine(name);
    if (!machine?.isWorking) return;
    this.#story.tell(`the ${name} freezes for ${seconds(ms)}`);
    machine.freeze();
    this.#time.after(ms, () => {
      if (!machine.isFrozen) return;
      this.#story.tell(`the ${name} goes on`);
      machine.thaw();
    });
  }

  /** Run something at the farm API: now, or once it runs. */
  #atApi(run: (app: ApiApp) => Promise<void>): void {
    const { app, machine } = this.#api;
    if (app && machine.isWorking) this.#starting.push(untilDone(run(app)));
    else this.#time.after(1_000, () => this.#atApi(run));
  }

  #shutOut(ms: number): void {
    if (this.#outSince !== null) return;
    this.#outSince = Number.POSITIVE_INFINITY;
    this.#atApi(async ({ database }) => {
      await revokeAllSessions(database, `${ACCOUNT.id}`, null, this.#api.machine.clock.now());
      this.#outSince = this.#time.now;
      this.#story.tell("all sessions of kim are ended");
      this.#time.after(ms, () => this.#signInAgain());
    });
  }

  #signInAgain(): void {
    this.#atApi(async (app) => {
      this.#story.tell("they sign in again");
      for (const person of this.#people) {
        person.phone.close();
        await this.#signIn(person, app);
      }
      this.#outSince = null;
      this.#happenedAt = this.#time.now;
      for (const { phone } of this.#people) phone.open();
    });
  }

  async #signIn({ name, phone }: Person, { database, tokens }: ApiApp): Promise<void> {
    const now = this.#api.machine.clock.now();
    const pair = await beginSession(database, tokens, `${ACCOUNT.id}`, name, now);
    phone.signIn({ account: ACCOUNT, ...pair });
  }

  #pressOpen({ name, phone, presses }: Person, valve: Valve, runSeconds: number): void {
    const shown = phone.shows(CONTROLLER.serial, valve.number);
    const commandId = shown && phone.pressOpen(shown, runSeconds);
    if (!commandId) return;
    this.#story.tell(`${name} opens ${valve.name} for ${runSeconds} s`);
    const at = this.#time.now;
    const press: Press = { by: name, at, target: 1, valve, commandId, runMs: runSeconds * 1_000 };
    presses.set(commandId, press);
    this.#wish.set(valve, press);
    this.#wantUntil(valve, at + press.runMs);
  }

  #wantUntil(valve: Valve, end: number): void {
    this.#runEnds.set(valve, Math.max(end, this.#runEnds.get(valve) ?? 0));
  }

  #pressClose({ name, phone, presses }: Person, valve: Valve): void {
    const shown = phone.shows(CONTROLLER.serial, valve.number);
    const commandId = shown && phone.pressClose(shown);
    if (!commandId) return;
    this.#story.tell(`${name} closes ${valve.name}`);
    const press: Press = { by: name, at: this.#time.now, target: 2, valve, commandId, runMs: 0 };
    presses.set(commandId, press);
    this.#wish.set(valve, press);
  }

  #takeBack({ name, phone, presses }: Person): void {
    if (!phone.isRead) return;
    for (const { id, kind } of phone.unanswered) {
      const press = presses.get(id);
      if (kind !== "close" || !press) continue;
      this.#story.tell(`${name} takes back the close of ${press.valve.name}`);
      phone.takeBack(id);
      if (this.#wish.get(press.valve) === press) this.#wish.delete(press.valve);
    }
  }

  /** When something last kept the orders of the farm API from the controller; now, while it does. */
  #heldAt(): number {
    const isHeld = !this.#lines["controller-broker"].isWell || !this.#controller.machine.isWorking;
    if (isHeld) this.#orderHeldAt = this.#time.now;
    return this.#orderHeldAt;
  }

  /**
   * Return the press that an opening comes from; null: it comes from no person. Where commands have no ids the length of
   * its run shows it.
   */
  #cause({ commandId, valve, runSeconds }: Order): Press | null {
    if (commandId !== null) return this.#press(commandId) ?? null;
    if (this.#schedule.hasRunsOf(valve, runSeconds)) return null;
    const isOf = ({ target, runMs, ...press }: Press): boolean => {
      const gone = runMs / 1_000 - runSeconds;
      return press.valve === valve && target === 1 && gone >= 0 && gone <= BOUNDS.openMs / 1_000;
    };
    const isRefused = (press: Press): boolean =>
      this.#people.some(({ refused }) => refused.has(press.commandId));
    const pressed = this.#people.flatMap(({ presses }) => [...presses.values()].filter(isOf));
    pressed.sort((one, other) => one.at - other.at);
    return pressed.findLast((press) => !isRefused(press)) ?? pressed.at(-1) ?? null;
  }

  #obeyed(order: Order): void {
    const { target, valve } = order;
    const press = target === 1 ? this.#cause(order) : null;
    if (press) this.#wantUntil(valve, this.#time.now + press.runMs);
    this.#story.tell(`${valve.name} gets the order to ${target === 1 ? "open" : "close"}`);
    if (target === 2) return;
    if (!press) {
      this.#startedByMode(valve);
      return;
    }
    const { commandId } = press;
    if (this.#outSince !== null && press.at - this.#outSince > BOUNDS.outMs) {
      this.#break(
        "W-10",
        `${valve.name} opened by a press of ${press.by} ${seconds(press.at - this.#outSince)} after all sessions ended`,
      );
      return;
    }
    if (this.#people.some(({ refused }) => refused.has(commandId))) {
      this.#break("W-6", `${valve.name} opened after ${press.by}'s screen had said that it does not`);
      return;
    }
    const late = this.#time.now - press.at;
    // An order without an end of its own is carried out whenever it comes out of the line.
    const isHeld = order.commandId === null && this.#heldAt() >= press.at;
    if (late > BOUNDS.openMs && !isHeld) {
      this.#break("W-2", `${valve.name} opened ${seconds(late)} after ${press.by} pressed`);
    }
  }

  /** W-8: an opening that no person wanted is a planned one. W-2: else nothing opens. */
  #startedByMode(valve: Valve): void {
    const { now } = this.#time;
    const start = this.#schedule.dueAt(valve, now, this.#heldAt());
    const running = this.#schedule.runningAt(valve, now);
    if (start?.hasHappened === false) {
      start.hasHappened = true;
      const openSince = valve.isOpen ? (this.#reportedAt.get(valve) ?? null) : null;
      // The order may have waited on its way since before the valve opened.
      const isHeld = this.#heldAt() >= start.at;
      if (openSince !== null && now - openSince > BOUNDS.shownMs && !isHeld)
        this.#break("W-8", `${valve.name} started while water ran in it`);
      this.#wish.delete(valve);
      // RUN-3 gives the run of a mode another time.
      this.#runEnds.delete(valve);
    } else if (running === null) {
      const rule = this.#plan.waterings?.length ? "W-8" : "W-2";
      this.#break(rule, `${valve.name} opened, and no person or plan wanted it`);
    } else if (!valve.isOpen) this.#break("W-8", `${valve.name} started again in the run of one start`);
  }

  /** W-8: a planned start happens if nothing is in its way. */
  #lookAtStarts(): void {
    const { now } = this.#time;
    for (const { valve, at } of this.#schedule.missedBetween(this.#lookedAt, now)) {
      const { wellSince = null } = this.#modeWays.get(valve) ?? {};
      const isPressed = this.#people.some(({ presses }) =>
        [...presses.values()].some(
          (press) => press.valve === valve && press.at + press.runMs + QUIET_MS > at,
        ),
      );
      if (isPressed || wellSince === null || wellSince > at - BOUNDS.startMs) continue;
      this.#break("W-8", `${valve.name} was to start at ${new Date(at).toISOString()}, and did not`);
    }
    this.#lookedAt = now;
  }

  /** W-2: an opening is not sent later than a press of it counts. */
  #sent(commandId: string): void {
    const press = this.#press(commandId);
    if (press?.target !== 1) return;
    const late = this.#time.now - press.at;
    if (late > BOUNDS.sentMs)
      this.#break(
        "W-2",
        `the relay sent the opening of ${press.valve.name} ${seconds(late)} after ${press.by} pressed`,
      );
  }

  #taken({ topic, payload, madeAt }: MqttMessage): void {
    for (const { number, isOpen } of this.#controller.reportsIn(topic, payload)) {
      const valve = this.#valve(number);
      this.#spokeAt.set(valve, this.#time.now);
      // One of before the last turn may say the same, and another one may come after it.
      const isOfNow = isOpen === valve.isOpen && madeAt >= (valve.last?.at ?? 0);
      if (isOfNow && !this.#reportedAt.has(valve)) this.#reportedAt.set(valve, this.#time.now);
    }
  }

  #isServed(): boolean {
    return (
      this.#api.machine.isWorking &&
      this.#api.app !== null &&
      this.#relay.machine.isWorking &&
      this.#relay.app !== null
    );
  }

  #look(): void {
    const { now } = this.#time;
    const lines = this.#lines;
    const isServed = this.#isServed();
    const isUpstreamWell = isServed && lines["relay-api"].isWell && lines["relay-broker"].isWell;
    const isDeviceWell =
      lines["controller-broker"].isWell && this.#controller.isConnected && this.#controller.machine.isWorking;
    this.#heldAt();
    const isApiWell = this.#api.machine.isWorking && this.#api.app !== null;
    for (const [valve, way] of this.#modeWays)
      way.note(isApiWell && isDeviceWell && !valve.isOpen && !valve.isStuck, now);
    this.#lookAtStarts();
    for (const { line, phone, toPhone, toScreen, toValve } of this.#people) {
      const isWell = isUpstreamWell && line.isWell;
      const isRead = phone.isRead && this.#outSince === null;
      toPhone.note(isWell, now);
      toScreen.note(isWell && isRead, now);
      toValve.note(isWell && isRead && isDeviceWell, now);
    }
    for (const valve of this.#valves) {
      const turned = valve.last?.at ?? 0;
      if ((this.#reportedAt.get(valve) ?? Number.POSITIVE_INFINITY) < turned) this.#reportedAt.delete(valve);
      for (const person of this.#people) this.#lookAtScreen(person, valve);
      for (const person of this.#people) this.#lookAtAlarms(person, valve);
      this.#lookAtClose(valve);
    }
    for (const person of this.#people) {
      this.#lookForRest(person);
      this.#lookAtOut(person);
      this.#lookAtReading(person);
    }
  }

  /** W-5: no number on the screen is made younger than it is. */
  #lookAtReading({ name, phone }: Person): void {
    const sensor = this.#sensor;
    const shown = sensor && phone.isRead ? phone.showsReading(SENSOR.id, "soilTemperature") : null;
    const wrong = sensor && shown && rejuvenated(sensor.measured, shown);
    if (wrong) this.#break("W-5", `${name}'s screen ${wrong}`);
  }

  /** W-5: every acknowledged reading is in the history, once and at its time. */
  async #lookAtHistory(): Promise<void> {
    const sensor = this.#sensor;
    if (!sensor) return;
    const { database } = this.#database.connect();
    const rows = await database.query<{ at: number; value: number }>(
      'select at, "soilTemperature" as value from reading where sensor_id = $1',
      [SENSOR.id],
    );
    const wrong = unkeptOf(sensor.measured, rows);
    if (wrong) this.#break("W-5", wrong);
  }

  /** W-10: who is out sees nothing live. */
  #lookAtOut({ name, phone, toPhone, wokeAt }: Person): void {
    const { since, endedAt } = toPhone;
    if (this.#outSince === null || since !== null || !phone.isLive) return;
    const outMs = this.#time.now - Math.max(this.#outSince, endedAt, wokeAt);
    if (outMs > BOUNDS.outMs)
      this.#break("W-10", `${name}'s screen is live ${seconds(outMs)} after all sessions ended`);
  }

  /** W-12: a while after the last fault everything is live, true and quiet. */
  #lookForRest(person: Person): void {
    const { name, phone, toValve, wokeAt } = person;
    const { wellSince } = toValve;
    if (wellSince === null || this.#valves.some(({ isStuck }) => isStuck)) return;
    const turnedAt = this.#valves.map((valve) =>
      Math.max(valve.last?.at ?? 0, this.#freedAt.get(valve) ?? 0),
    );
    if (this.#time.now - Math.max(wellSince, this.#happenedAt, wokeAt, ...turnedAt) <= BOUNDS.quietMs) return;
    const valves = this.#valves.map((valve) => ({
      valve,
      shown: phone.shows(CONTROLLER.serial, valve.number),
    }));
    const unanswered = phone.unanswered.filter(({ ended }) => ended === undefined).length;
    const unrest = unrestOf(valves, phone.alarms, unanswered);
    if (unrest === null) person.restlessSince = null;
    else person.restlessSince ??= this.#time.now;
    // A run that ends by itself takes its time.
    if (unrest === null || this.#time.now - (person.restlessSince ?? 0) <= BOUNDS.turnMs) return;
    this.#break("W-12", `nothing was wrong for 2 minutes, and on ${name}'s screen ${unrest}`);
  }

  #lookAtScreen({ name, phone, read, lied, toPhone, wokeAt }: Person, valve: Valve): void {
    if (!phone.isRead) return;
    const shown = phone.shows(CONTROLLER.serial, valve.number);
    const words = shown ? wordsOf(shown) : "not listed";
    if (words !== read.get(valve)) this.#story.tell(`${name} reads: ${valve.name} ${words}`);
    read.set(valve, words);
    if (!shown) return;
    const lie = lieOf(shown, valve, {
      now: this.#time.now,
      reportedAt: this.#reportedAt.get(valve) ?? null,
      way: toPhone,
      wokeAt,
      believedUntil: this.#believedUntil(valve),
    });
    // Who is out is owed nothing but the end of the page (W-10).
    if (this.#outSince !== null) return;
    // A picture of a moment cannot be read.
    if (lie !== null && lied.has(valve)) this.#break("W-1", `the screen of ${name} ${lie}`);
    if (lie === null) lied.delete(valve);
    else lied.add(valve);
  }

  /** Last instant at which a state of before could be believed, without a report of the present one. */
  #believedUntil(valve: Valve): number {
    const hasSpokenSince = (this.#spokeAt.get(valve) ?? START) > this.#lostAt;
    return hasSpokenSince ? this.#heardAt + NOTICED_MS : this.#lostAt;
  }

  /** W-4: water that runs past its end is an urgent alarm on the screen within a minute. */
  #lookAtAlarms({ name, phone, toScreen }: Person, valve: Valve): void {
    const end = this.#runEnds.get(valve);
    const { wellSince } = toScreen;
    // A valve that was turned by hand runs without an end.
    if (!valve.isOpen || end === undefined || valve.last?.commandId === null || wellSince === null) return;
    const since = Math.max(end, wellSince);
    if (this.#time.now - since <= BOUNDS.alarmMs || !phone.isRead) return;
    if (phone.alarms.some(({ priority, active }) => priority === 1 && active)) return;
    this.#break(
      "W-4",
      `water runs in ${valve.name} ${seconds(this.#time.now - end)} past its end, and ${name}'s screen has no urgent alarm`,
    );
  }

  /** W-3: a close that a person pressed happens as soon as there is a way to the valve. */
  #lookAtClose(valve: Valve): void {
    const press = this.#wish.get(valve);
    const wellSince = this.#person(press?.by)?.toValve.wellSince ?? null;
    if (press?.target !== 2 || !valve.isOpen || valve.isStuck || wellSince === null) return;
    const since = Math.max(wellSince, press.at, this.#freedAt.get(valve) ?? 0);
    if (this.#time.now - since <= BOUNDS.closeMs) return;
    this.#break(
      "W-3",
      `${valve.name} is open ${seconds(this.#time.now - press.at)} after ${press.by} closed it; every line was well for ${seconds(this.#time.now - since)}`,
    );
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

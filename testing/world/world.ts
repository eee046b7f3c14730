import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChannelStateMessage } from "@mulkko/shared/mqtt/device-messages";
import { parseDeviceTopic } from "@mulkko/shared/mqtt/topics";
import { parseJson } from "@mulkko/shared/schema/parse";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { seededRandom } from "@mulkko/shared/testing/random";
import { hashSecret } from "../../api/src/accounts/key.ts";
import { insertAccount } from "../../api/src/accounts/repository.ts";
import { beginSession, revokeAllSessions } from "../../api/src/accounts/sessions.ts";
import type { App as ApiApp } from "../../api/src/http/server.ts";
import type { InProcessPglite } from "../../api/testing/in-process-pglite.ts";
import { WorldBroker } from "./broker.ts";
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
import { Phone } from "./phone.ts";
import type { Failing, Happening, LineName, Plan } from "./plan.ts";
import { Relay } from "./relay.ts";
import { Sensor } from "./sensor.ts";
import { settled, untilDone } from "./settled.ts";
import { Story } from "./story.ts";
import { Valve } from "./truth.ts";
import { WorldTime } from "./world-time.ts";

/** Files in memory, where there are any: a world writes much and keeps nothing. */
const MEMORY = "/dev/shm";
const START = Date.UTC(2026, 10, 21, 3, 0, 0);
const ACCOUNT = buildAccount({ username: "kim" });
const CONTROLLER = { id: "20000000-0000-4000-8000-000000000001", serial: 200_001, key: "key-of-controller" };
const SENSOR = { id: "30000000-0000-4000-8000-000000000001", serial: 300_001, key: "key-of-sensor" };
const KEEP_ALIVE_MS = 30_000;
/** Time until a broker has noticed that a device is gone. */
const NOTICED_MS = KEEP_ALIVE_MS * 1.5;
const LOOK_MS = 500;
/** Time for which everything is well before the first event. */
const SETTLE_MS = 20_000;
const RIGHT = { offsetMs: 0, drift: 0 };

/** Result of a world. */
export interface Outcome {
  readonly violation: Violation | null;
  readonly story: readonly string[];
  /** Log lines of API and relay. */
  readonly log: readonly string[];
}

/** Create account, farm, controller and valves, as after a registration. */
async function furnish(app: ApiApp, valves: readonly Valve[]): Promise<void> {
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
  await database.query("insert into controller (id, name, type) values ($1, 'Valve box', 'CON04V')", [
    CONTROLLER.id,
  ]);
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
  readonly #phone: Phone;
  readonly #controller: NativeController;
  /** Null in stored worlds without one. */
  readonly #sensor: Sensor | null;
  readonly #database: InProcessPglite;
  readonly #presses = new Map<string, Press>();
  /** The last press about each valve. */
  readonly #wish = new Map<Valve, Press>();
  /** Last end of the runs that a person wanted of each valve. */
  readonly #runEnds = new Map<Valve, number>();
  /** Arrival of the first report of each valve's present state at the API. */
  readonly #reportedAt = new Map<Valve, number>();
  #heardAt = START;
  /** The valves about which the screen lied at the last look. */
  readonly #lied = new Set<Valve>();
  /** The words of the screen about each valve. */
  readonly #said = new Map<Valve, string>();
  #wokeAt = START;
  /** Time of the last happening of the plan, or of the sign-in that ended one. */
  #happenedAt = START;
  /** Since when kim's sessions are over; null while she has one. */
  #outSince: number | null = null;
  /** Since when something is not well on the screen although nothing is wrong. */
  #restlessSince: number | null = null;
  /** Openings that the page shows as refused. */
  readonly #refused = new Set<string>();
  /** The way from the API to the phone, whether it sleeps or not. */
  readonly #toPhone = new Trouble();
  /** The same way to a person who reads. */
  readonly #toScreen = new Trouble();
  readonly #toValve = new Trouble();
  readonly #starting: Promise<unknown>[] = [];
  #violation: Violation | null = null;

  constructor(plan: Plan, database: InProcessPglite) {
    this.#plan = plan;
    this.#database = database;
    const time = this.#time;
    const random = (part: number) => seededRandom(plan.seed * 31 + part);
    const machine = (name: string) => new Machine(name, time, RIGHT);
    const [api, relay, phone, controller, sensor] = [
      machine("api"),
      machine("relay"),
      machine("kim"),
      machine("controller"),
      machine("sensor"),
    ];
    this.#lines = {
      "phone-relay": new Line(phone, relay, time, random(1)),
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
    this.#phone = new Phone({
      time,
      machine: phone,
      line: this.#lines["phone-relay"],
      relay: this.#relay,
      random: random(6),
      onError: (error) => this.#log.push(`phone: ${String(error)}`),
    });
    this.#valves = [new Valve("bed 1", 1), new Valve("bed 2", 2)];
    this.#controller = new NativeController(
      {
        time,
        machine: controller,
        serial: CONTROLLER.serial,
        key: CONTROLLER.key,
        line: this.#lines["controller-broker"],
        broker: this.#broker,
        valves: this.#valves,
      },
      { ...plan.controller, keepAliveMs: KEEP_ALIVE_MS },
    );
    this.#sensor = plan.sensor
      ? new Sensor(
          { ...SENSOR, time, machine: sensor, line: this.#lines["sensor-broker"], broker: this.#broker },
          { ...plan.sensor, keepAliveMs: KEEP_ALIVE_MS },
        )
      : null;
    this.#controller.onObeyed = (commandId, target, valve) => this.#obeyed(commandId, target, valve);
    this.#phone.onOpening = (commandId, outcome) => {
      if (outcome.kind !== "refused") return;
      this.#refused.add(commandId);
      this.#story.tell(`kim's screen says that the opening was refused: ${outcome.reason}`);
    };
    this.#broker.onTaken = (topic, payload) => this.#taken(topic, payload);
    this.#broker.onPacket = () => {
      this.#heardAt = time.now;
    };
  }

  /** Run it to its end, or until a rule is broken. */
  async run(): Promise<Outcome> {
    try {
      const app = await this.#api.start();
      await furnish(app, this.#valves);
      const pair = await beginSession(app.database, app.tokens, `${ACCOUNT.id}`, "phone", this.#time.now);
      await this.#relay.start();
      this.#phone.signIn({ account: ACCOUNT, ...pair });
      this.#controller.powerOn();
      this.#sensor?.powerOn();
      this.#phone.open();
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
      this.#phone.close();
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

  #happen(happening: Happening): void {
    this.#happenedAt = this.#time.now;
    switch (happening.kind) {
      case "open":
        this.#pressOpen(this.#valve(happening.valve), happening.seconds);
        return;
      case "close":
        this.#pressClose(this.#valve(happening.valve));
        return;
      case "take-back":
        this.#takeBack();
        return;
      case "reload":
        if (!this.#phone.isRead) return;
        this.#story.tell("kim reloads the page");
        this.#phone.reload();
        return;
      case "sleep":
        if (!this.#phone.isRead) return;
        this.#story.tell(`kim's phone sleeps for ${seconds(happening.ms)}`);
        this.#phone.sleep();
        this.#time.after(happening.ms, () => {
          this.#story.tell("kim wakes the phone");
          this.#phone.wake();
          this.#wokeAt = this.#time.now;
        });
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
    if (name === "api") this.#api.kill();
    else if (name === "relay") this.#relay.kill();
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
    this.#atApi(async ({ database, tokens }) => {
      const now = this.#api.machine.clock.now();
      const pair = await beginSession(database, tokens, `${ACCOUNT.id}`, "phone", now);
      this.#story.tell("kim signs in again");
      this.#outSince = null;
      this.#happenedAt = this.#time.now;
      this.#phone.close();
      this.#phone.signIn({ account: ACCOUNT, ...pair });
      this.#phone.open();
    });
  }

  #pressOpen(valve: Valve, runSeconds: number): void {
    const shown = this.#phone.shows(CONTROLLER.serial, valve.number);
    const commandId = shown && this.#phone.pressOpen(shown, runSeconds);
    if (!commandId) return;
    this.#story.tell(`kim opens ${valve.name} for ${runSeconds} s`);
    const at = this.#time.now;
    const press: Press = { at, target: 1, valve, commandId, runMs: runSeconds * 1_000 };
    this.#presses.set(commandId, press);
    this.#wish.set(valve, press);
    this.#wantUntil(valve, at + press.runMs);
  }

  #wantUntil(valve: Valve, end: number): void {
    this.#runEnds.set(valve, Math.max(end, this.#runEnds.get(valve) ?? 0));
  }

  #pressClose(valve: Valve): void {
    const shown = this.#phone.shows(CONTROLLER.serial, valve.number);
    const commandId = shown && this.#phone.pressClose(shown);
    if (!commandId) return;
    this.#story.tell(`kim closes ${valve.name}`);
    const press: Press = { at: this.#time.now, target: 2, valve, commandId, runMs: 0 };
    this.#presses.set(commandId, press);
    this.#wish.set(valve, press);
  }

  #takeBack(): void {
    if (!this.#phone.isRead) return;
    for (const { id, kind } of this.#phone.unanswered) {
      const press = this.#presses.get(id);
      if (kind !== "close" || !press) continue;
      this.#story.tell(`kim takes back the close of ${press.valve.name}`);
      this.#phone.takeBack(id);
      if (this.#wish.get(press.valve) === press) this.#wish.delete(press.valve);
    }
  }

  #obeyed(commandId: string, target: 1 | 2, valve: Valve): void {
    const press = this.#presses.get(commandId);
    if (target === 1 && press) this.#wantUntil(valve, this.#time.now + press.runMs);
    this.#story.tell(`${valve.name} ${target === 1 ? "opens" : "closes"}${press ? "" : " (by the relay)"}`);
    if (target === 2) return;
    if (!press) {
      this.#break("W-2", `${valve.name} opened by a command that no person gave`);
      return;
    }
    if (this.#outSince !== null && press.at - this.#outSince > BOUNDS.outMs) {
      this.#break(
        "W-10",
        `${valve.name} opened by a press of kim ${seconds(press.at - this.#outSince)} after her sessions ended`,
      );
      return;
    }
    if (this.#refused.has(commandId)) {
      this.#break("W-6", `${valve.name} opened after kim's screen had said that it does not`);
      return;
    }
    const late = this.#time.now - press.at;
    if (late > BOUNDS.openMs) {
      this.#break("W-2", `${valve.name} opened ${seconds(late)} after kim pressed`);
    }
  }

  #taken(name: string, payload: string): void {
    const parsed = parseDeviceTopic(name);
    if (parsed?.kind !== "state") return;
    const state = parseJson(ChannelStateMessage, payload);
    const valve = this.#valve(parsed.number);
    const isOpen = state.ok && state.value.onoff === 1;
    if (isOpen === valve.isOpen && !this.#reportedAt.has(valve)) this.#reportedAt.set(valve, this.#time.now);
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
    const isPhoneWell = lines["phone-relay"].isWell && this.#phone.isRead && this.#outSince === null;
    const isDeviceWell =
      lines["controller-broker"].isWell && this.#controller.isConnected && this.#controller.machine.isWorking;
    this.#toPhone.note(isUpstreamWell && lines["phone-relay"].isWell, now);
    this.#toScreen.note(isUpstreamWell && isPhoneWell, now);
    this.#toValve.note(isUpstreamWell && isPhoneWell && isDeviceWell, now);
    for (const valve of this.#valves) {
      const turned = valve.last?.at ?? 0;
      if ((this.#reportedAt.get(valve) ?? Number.POSITIVE_INFINITY) < turned) this.#reportedAt.delete(valve);
      this.#lookAtScreen(valve);
      this.#lookAtClose(valve);
      this.#lookAtAlarms(valve);
    }
    this.#lookForRest();
    this.#lookAtOut();
    this.#lookAtReading();
  }

  /** W-5: no number on the screen is made younger than it is. */
  #lookAtReading(): void {
    const sensor = this.#sensor;
    const shown =
      sensor && this.#phone.isRead ? this.#phone.showsReading(SENSOR.id, "soilTemperature") : null;
    const wrong = sensor && shown && rejuvenated(sensor.measured, shown, sensor.hasClock);
    if (wrong) this.#break("W-5", `kim's screen ${wrong}`);
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
    const wrong = unkeptOf(sensor.measured, rows, sensor.hasClock);
    if (wrong) this.#break("W-5", wrong);
  }

  /** W-10: who is out sees nothing live. */
  #lookAtOut(): void {
    const { since, endedAt } = this.#toPhone;
    if (this.#outSince === null || since !== null || !this.#phone.isLive) return;
    const outMs = this.#time.now - Math.max(this.#outSince, endedAt, this.#wokeAt);
    if (outMs > BOUNDS.outMs)
      this.#break("W-10", `kim's screen is live ${seconds(outMs)} after her sessions ended`);
  }

  /** W-12: a while after the last fault everything is live, true and quiet. */
  #lookForRest(): void {
    const { wellSince } = this.#toValve;
    if (wellSince === null || this.#valves.some(({ isStuck }) => isStuck)) return;
    const turnedAt = this.#valves.map(({ last }) => last?.at ?? 0);
    if (this.#time.now - Math.max(wellSince, this.#happenedAt, this.#wokeAt, ...turnedAt) <= BOUNDS.quietMs)
      return;
    const valves = this.#valves.map((valve) => ({
      valve,
      shown: this.#phone.shows(CONTROLLER.serial, valve.number),
    }));
    const unanswered = this.#phone.unanswered.filter(({ ended }) => ended === undefined).length;
    const unrest = unrestOf(valves, this.#phone.alarms, unanswered);
    if (unrest === null) this.#restlessSince = null;
    else this.#restlessSince ??= this.#time.now;
    // A run that ends by itself takes its time.
    if (unrest === null || this.#time.now - (this.#restlessSince ?? 0) <= BOUNDS.turnMs) return;
    this.#break("W-12", `nothing was wrong for 2 minutes, and on kim's screen ${unrest}`);
  }

  #lookAtScreen(valve: Valve): void {
    if (!this.#phone.isRead) return;
    const shown = this.#phone.shows(CONTROLLER.serial, valve.number);
    const words = shown ? wordsOf(shown) : "not listed";
    if (words !== this.#said.get(valve)) this.#story.tell(`kim reads: ${valve.name} ${words}`);
    this.#said.set(valve, words);
    if (!shown) return;
    const lie = lieOf(shown, valve, {
      now: this.#time.now,
      reportedAt: this.#reportedAt.get(valve) ?? null,
      way: this.#toPhone,
      wokeAt: this.#wokeAt,
      believedUntil: this.#heardAt + NOTICED_MS,
    });
    // A picture of a moment cannot be read.
    if (lie !== null && this.#lied.has(valve)) this.#break("W-1", `the screen of kim ${lie}`);
    if (lie === null) this.#lied.delete(valve);
    else this.#lied.add(valve);
  }

  /** W-4: water that runs past its end is an urgent alarm on the screen within a minute. */
  #lookAtAlarms(valve: Valve): void {
    const end = this.#runEnds.get(valve);
    const { wellSince } = this.#toScreen;
    // A valve that was turned by hand runs without an end.
    if (!valve.isOpen || end === undefined || valve.last?.commandId === null || wellSince === null) return;
    const since = Math.max(end, wellSince);
    if (this.#time.now - since <= BOUNDS.alarmMs || !this.#phone.isRead) return;
    if (this.#phone.alarms.some(({ priority, active }) => priority === 1 && active)) return;
    this.#break(
      "W-4",
      `water runs in ${valve.name} ${seconds(this.#time.now - end)} past its end, and kim's screen has no urgent alarm`,
    );
  }

  /** W-3: a close that a person pressed happens as soon as there is a way to the valve. */
  #lookAtClose(valve: Valve): void {
    const press = this.#wish.get(valve);
    const { wellSince } = this.#toValve;
    if (press?.target !== 2 || !valve.isOpen || valve.isStuck || wellSince === null) return;
    const since = Math.max(wellSince, press.at);
    if (this.#time.now - since <= BOUNDS.closeMs) return;
    this.#break(
      "W-3",
      `${valve.name} is open ${seconds(this.#time.now - press.at)} after kim closed it; every line was well for ${seconds(this.#time.now - since)}`,
    );
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

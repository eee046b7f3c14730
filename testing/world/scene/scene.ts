import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "@mulkko/shared/testing/random";
import type { App as ApiApp } from "../../../api/src/http/server.ts";
import type { InProcessPglite } from "../../../api/testing/in-process-pglite.ts";
import { ADDRESS, CONTROLLER, METER, SENSOR } from "../devices/furnish.ts";
import { Meter } from "../devices/meter.ts";
import type { DevicePlace } from "../devices/mqtt-device.ts";
import { NativeController } from "../devices/native-controller.ts";
import type { Piped } from "../devices/pipe.ts";
import { PlainController } from "../devices/plain-controller.ts";
import { Sensor } from "../devices/sensor.ts";
import { Shelly } from "../devices/shelly.ts";
import { Soil } from "../devices/soil.ts";
import { Tasmota } from "../devices/tasmota.ts";
import { Valve } from "../devices/truth.ts";
import type { ValveController } from "../devices/valve-controller.ts";
import { WorldBroker } from "../network/broker.ts";
import { Line } from "../network/line.ts";
import { Machine } from "../network/machine.ts";
import { WorldTime } from "../network/world-time.ts";
import { Person } from "../people/person.ts";
import { type Page, Phone } from "../people/phone.ts";
import type { Press, PressedBy } from "../people/press.ts";
import { type Failing, type LineName, type PersonName, type Plan, START } from "../plan/plan.ts";
import { FURTHER_RELAYS } from "../plan/relays-plan.ts";
import { FarmApi } from "../servers/farm-api.ts";
import { PlainFarmApi } from "../servers/plain-farm-api.ts";
import { RedisServer } from "../servers/redis/redis-server.ts";
import { Relay } from "../servers/relay.ts";
import { Relays } from "../servers/relays.ts";
import { settled, untilDone } from "../settled.ts";
import { BOUNDS, type Bounds, CLOCK_BOUNDS } from "./bounds.ts";
import { Further } from "./further.ts";
import { plainBounds } from "./plain-bounds.ts";
import { Schedule } from "./schedule.ts";
import { Story } from "./story.ts";
import type { Invariant, Violation } from "./violation.ts";

/** Files in memory, where there are any: a world writes much and keeps nothing. */
const MEMORY = "/dev/shm";
export const KEEP_ALIVE_MS = 30_000;
/** Time for which everything is well before the first event. */
export const SETTLE_MS = 20_000;
const RIGHT = { offsetMs: 0, drift: 0 };

/** Return the controller of a world, by its make. */
function controllerOf(
  { controller: kind }: Plan,
  box: DevicePlace & { readonly machine: Machine; readonly valves: readonly Valve[] },
): ValveController {
  const { driver, reportMs, hasClock, hasWill: hasStatus } = kind;
  const own = { address: ADDRESS, keepAliveMs: KEEP_ALIVE_MS, reportMs };
  switch (driver) {
    case "tasmota":
      return new Tasmota(box, own);
    case "shelly-gen2":
      return new Shelly(box, { ...own, serial: box.serial, hasClock, hasStatus });
    default:
      return new NativeController(box, { ...kind, keepAliveMs: KEEP_ALIVE_MS });
  }
}

/** Lines of log and story that are kept where a world is too long for all of them. */
const LINES_KEPT = 200;
/** Time for what is starting at the end of a world, s. */
const STARTED_WITHIN_S = 60;

/** The machines of a world, the lines between them, and what all rules need to know of it. */
export class Scene {
  readonly plan: Plan;
  /** Bounds that hold for the farm API of this world. */
  readonly bounds: Bounds;
  /** Begin of this world, ms UTC: a whole minute. */
  readonly start: number;
  readonly time: WorldTime;
  readonly story: Story;
  /** Log lines of API and relay. */
  readonly log: string[] = [];
  readonly broker: WorldBroker;
  readonly lines: Readonly<Record<LineName, Line>>;
  /** The bundled farm API; null in a world with a plain one. */
  readonly bundled: FarmApi | null;
  readonly plain: PlainFarmApi | null;
  readonly relays: Relays;
  /** Null where one relay keeps its data itself. */
  readonly redis: RedisServer | null;
  readonly people: readonly Person[];
  readonly further: Further;
  readonly valves: readonly Valve[];
  readonly controller: ValveController;
  readonly schedule: Schedule;
  /** Null in stored worlds without one. */
  readonly sensor: Sensor | null;
  /** Null in worlds without one. */
  readonly meter: Meter | null;
  /** The valves that it measures. */
  readonly pipes: readonly Piped[];
  readonly database: InProcessPglite;
  /** Time of the last happening of the plan, or of the sign-in that ended one. */
  happenedAt: number;
  /** When the farm API's clock was last set, ms UTC; -∞: never. */
  apiSetAt = Number.NEGATIVE_INFINITY;
  /** When it was last set back. */
  apiSetBackAt = Number.NEGATIVE_INFINITY;
  /** When the farm API's database was last in trouble: without it the API cannot say who is out; -∞: never. */
  storeTroubledAt = Number.NEGATIVE_INFINITY;
  /** False while the relay of a plain farm API has a session of its own, by what is known. */
  mayBeUnwatched = false;
  /** Until when runs that have begun may be closed by a log-out (CMD-15), ms UTC; -∞: there was none. */
  closingUntil = Number.NEGATIVE_INFINITY;
  /** Since when all sessions of the account are over; null while it has some. */
  outSince: number | null = null;
  readonly #folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "mulkko-world-"));
  readonly #underWay = new Set<Promise<unknown>>();
  /** When a deletion of the account last began, and when it was restored; ∞: it is not yet. ms UTC. */
  deletedFrom = Number.POSITIVE_INFINITY;
  deletedTo = Number.POSITIVE_INFINITY;
  #violation: Violation | null = null;

  constructor(plan: Plan, database: InProcessPglite) {
    this.plan = plan;
    const start = plan.start ?? START;
    this.start = start;
    this.happenedAt = start;
    this.time = new WorldTime(start, settled);
    this.story = new Story(start, () => this.time.now);
    this.database = database;
    this.bounds = plan.plain ? plainBounds(plan.plain) : plan.serverClock ? CLOCK_BOUNDS : BOUNDS;
    const { time } = this;
    const broker = new WorldBroker(time);
    this.broker = broker;
    const random = (part: number) => seededRandom(plan.seed * 31 + part);
    const machine = (name: string) => {
      const { clockMs } = plan.plain ?? {};
      if (name === "api" && clockMs !== undefined)
        return new Machine(name, time, { offsetMs: clockMs, drift: 0 });
      const { serverClock } = plan;
      if (serverClock && (name === "api" || (name === "relay" && serverClock.of === "both")))
        return new Machine(name, time, serverClock);
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
    const redis = machine("redis");
    const [second, third] = [machine("relay-2"), machine("relay-3")];
    const meter = new Machine("meter", time, { offsetMs: plan.meter?.offsetMs ?? 0, drift: 0 });
    const own = {
      "phone-relay": new Line(kim, relay, time, random(1)),
      "lee-relay": new Line(lee, relay, time, random(8)),
      "relay-api": new Line(relay, api, time, random(2)),
      "relay-broker": new Line(relay, api, time, random(3)),
      "controller-broker": new Line(controller, api, time, random(4)),
      "sensor-broker": new Line(sensor, api, time, random(7)),
      "meter-broker": new Line(meter, api, time, random(10)),
      "relay-redis": new Line(relay, redis, time, random(11)),
      "relay-2-api": new Line(second, api, time, random(12)),
      "relay-2-broker": new Line(second, api, time, random(13)),
      "relay-2-redis": new Line(second, redis, time, random(14)),
      "relay-3-api": new Line(third, api, time, random(15)),
      "relay-3-broker": new Line(third, api, time, random(16)),
      "relay-3-redis": new Line(third, redis, time, random(17)),
    };
    const common = { time, folder: this.#folder, lines: this.log, broker };
    this.valves = [new Valve("bed 1", 1), new Valve("bed 2", 2)];
    const { key, serial } = CONTROLLER;
    const line = own["controller-broker"];
    if (plan.plain) {
      const place = { time, machine: controller, line, valves: this.valves };
      const box = new PlainController(place, plan.plain);
      this.controller = box;
      this.bundled = null;
      this.plain = new PlainFarmApi({ machine: api, controller: box, valves: this.valves }, plan.plain);
    } else {
      const box = { time, machine: controller, serial, key, line, broker, valves: this.valves };
      this.controller = controllerOf(plan, box);
      this.bundled = new FarmApi({ ...common, machine: api, database });
      this.plain = null;
    }
    const server = plan.relays === undefined ? null : new RedisServer(redis);
    this.redis = server;
    const names = (["relay", ...FURTHER_RELAYS] as const).slice(0, plan.relays ?? 1);
    const nodes = names.map((name, n) => {
      const [toApi, toBroker, toRedis] = [own[`${name}-api`], own[`${name}-broker`], own[`${name}-redis`]];
      const node = new Relay({
        ...common,
        machine: [relay, second, third][n] ?? relay,
        api: this.api,
        isPlain: this.plain !== null,
        changesBuild: plan.changesBuilds ?? false,
        toApi,
        toBroker,
        random: random(n === 0 ? 5 : 20 + n),
        shared: server && { server, line: toRedis, random: random(30 + n) },
      });
      const upstream = this.plain ? [toApi] : [toApi, toBroker];
      return { relay: node, upstream, toRedis: server && toRedis };
    });
    this.relays = new Relays(time, nodes, server);
    this.further = new Further(plan, {
      ...{ time, relay, relays: this.relays, api, broker },
      onError: (error) => this.log.push(`further: ${String(error)}`),
    });
    this.lines = { ...own, ...this.further.lines };
    const person = (name: PersonName, owner: Machine, line: Line, part: number): Person => {
      const phone = new Phone({
        time,
        machine: owner,
        line,
        relays: this.relays,
        random: random(part),
        onError: (error) => this.log.push(`${name}: ${String(error)}`),
      });
      return new Person(name, phone, line, start);
    };
    const everyone = {
      kim: person("kim", kim, this.lines["phone-relay"], 6),
      lee: person("lee", lee, this.lines["lee-relay"], 9),
    };
    this.people = (plan.people ?? ["kim"]).map((name) => everyone[name]);
    this.schedule = new Schedule(
      (plan.waterings ?? []).map((one) => ({ ...one, valve: this.valve(one.valve) })),
      start,
      start + SETTLE_MS + plan.lengthMs,
      plan.zone ?? null,
    );
    const { automatic } = plan;
    const soil = automatic ? new Soil(automatic, this.valve(automatic.valve), start) : null;
    const lora = plan.lora ? { plan: plan.lora, random: random(40), start: start + SETTLE_MS } : null;
    this.sensor =
      plan.sensor && !plan.plain
        ? new Sensor(
            { ...SENSOR, time, machine: sensor, line: this.lines["sensor-broker"], broker },
            { ...plan.sensor, keepAliveMs: KEEP_ALIVE_MS, soil, lora },
          )
        : null;
    const { valves = [], flows = [] } = plan.meter ?? {};
    this.pipes = valves.map((one) => ({ valve: this.valve(one), flow: flows[one - 1] ?? 1 }));
    const place = { ...METER, time, machine: meter, line: this.lines["meter-broker"], broker };
    this.meter = plan.meter ? new Meter({ ...place, pipes: this.pipes }, plan.meter, KEEP_ALIVE_MS) : null;
  }

  /** The farm API, of whichever kind. */
  get api(): FarmApi | PlainFarmApi {
    const api = this.plain ?? this.bundled;
    if (!api) throw new Error("a world without a farm API");
    return api;
  }

  /** Every difference of a wrong farm API's clock to true time so far, ms; null where it is right. */
  get apiOffsets(): readonly number[] | null {
    return this.plan.serverClock ? this.api.machine.offsets : null;
  }

  /** By how much the farm API's clock is or was off, either way, ms; 0 while it has always been right. */
  get apiClockMs(): number {
    return Math.max(0, ...(this.apiOffsets ?? []).map(Math.abs));
  }

  get violation(): Violation | null {
    return this.#violation;
  }

  /** A rule is broken: the world ends. */
  break(invariant: Invariant, text: string): void {
    if (this.#violation !== null) return;
    this.#violation = { invariant, afterMs: this.time.now - this.start - SETTLE_MS, text };
    this.story.tell(`${invariant}: ${text}`);
  }

  valve(number: number): Valve {
    const valve = this.valves[number - 1];
    if (!valve) throw new RangeError(`no valve ${number}`);
    return valve;
  }

  /** Return a person of the plan; null for one that this world has not, and for the administrator. */
  person(name: PressedBy = "kim"): Person | null {
    return this.people.find((one) => one.name === name) ?? null;
  }

  /** Return since when a person is out, ms UTC; null while she has a session. */
  outSinceOf({ outSince, isOut }: Person): number | null {
    // Each of them signs in again by herself at a plain farm API.
    if (this.plain && !isOut) return null;
    return this.outSince ?? outSince;
  }

  /** Return the press of a command; undefined for one of a mode. */
  press(commandId: string): Press | undefined {
    const all = [...this.people.map(({ presses }) => presses), this.further.park?.screen.presses];
    return all.map((presses) => presses?.get(commandId)).find((press) => press !== undefined);
  }

  /** All presses of people and of the administrator, in the order in which each of them pressed. */
  get presses(): readonly Press[] {
    const ofPeople = this.people.flatMap(({ presses }) => [...presses.values()]);
    return [...ofPeople, ...(this.further.park?.screen.presses.values() ?? [])];
  }

  /** Since when the way of a press to the valves has been well, ms UTC; null while it is not. */
  wellSinceOf({ by }: Press): number | null {
    const way = by === "park" ? this.further.park?.toClose : this.person(by)?.toValve;
    return way?.wellSince ?? null;
  }

  /**
   * The live pages that must show by now what has been stored since a time (W-6), and for how long each could, ms.
   *
   * @param since ms UTC
   */
  *pagesThatShow(since: number): Generator<{ person: Person; page: Page; forMs: number }> {
    const { saveReadMs, saveShownMs } = this.bounds;
    for (const person of this.people) {
      const { wellSince } = person.toScreen;
      const { page, isLive } = person.phone;
      if (!page || !isLive || wellSince === null) continue;
      const allWellSince = Math.max(wellSince, person.wokeAt, this.storeTroubledAt);
      const forMs = this.time.now - Math.max(since, allWellSince);
      const mayBeLost = allWellSince > since - saveShownMs;
      if (forMs > (mayBeLost ? saveReadMs : saveShownMs)) yield { person, page, forMs };
    }
  }

  /** When something last happened, or last was wrong with the farm API's database: W-12 counts from it, ms UTC. */
  get troubledAt(): number {
    return Math.max(this.happenedAt, this.storeTroubledAt);
  }

  /** Return a machine; null for one that this world has not. */
  machine(name: Failing): Machine | null {
    return {
      api: this.api.machine,
      relay: this.relay("relay")?.machine ?? null,
      "relay-2": this.relay("relay-2")?.machine ?? null,
      "relay-3": this.relay("relay-3")?.machine ?? null,
      redis: this.redis?.machine ?? null,
      controller: this.controller.machine,
      sensor: this.sensor?.machine ?? null,
      meter: this.meter?.machine ?? null,
    }[name];
  }

  /** True while the farm API can work. */
  get isApiWell(): boolean {
    if (this.plain?.answersWell === false) return false;
    return this.api.machine.isWorking && this.api.app !== null;
  }

  /** Drop all lines of log and story but the last, which say how a world ended. */
  forgetReports(): void {
    this.log.splice(0, this.log.length - LINES_KEPT);
    this.story.forget(LINES_KEPT);
  }

  /** True while farm API and relays can work, and the lines between them. */
  get isUpstreamWell(): boolean {
    return this.isApiWell && this.relays.areWell;
  }

  /** Time of the relays' store, by which they compare all times (RUN-4), ms UTC. */
  get storeTime(): number {
    const { machine } = this.redis ?? this.relays.next();
    return machine.clock.now();
  }

  /** Return a relay by its name; null for one that this world has not. */
  relay(name: string): Relay | null {
    return this.relays.all.find(({ machine }) => machine.name === name) ?? null;
  }

  /** True while the relay has a session with which it can close valves: its own, or that of a page. */
  get hasSession(): boolean {
    if (this.outSince !== null) return false;
    if (!this.mayBeUnwatched) return true;
    return this.people.some(({ isOut, phone, toPhone }) => !isOut && phone.isRead && toPhone.since === null);
  }

  /** True while orders reach the controller. */
  get isDeviceWell(): boolean {
    const { isConnected, machine } = this.controller;
    return this.lines["controller-broker"].isWell && isConnected && machine.isWorking;
  }

  /** Let the world stand still until something is done whose length depends on this machine: a start, a statement. */
  standStill(work: Promise<unknown>): void {
    this.#awaitAtEnd(untilDone(work));
  }

  #awaitAtEnd(work: Promise<unknown>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  /** Start Redis and all relays. Those with a Redis need time for it. */
  async startRelays(): Promise<void> {
    this.redis?.start();
    const starts = this.relays.all.map((relay) => relay.start());
    let areStarted = !this.redis;
    const done = Promise.all(starts).finally(() => {
      areStarted = true;
    });
    while (!areStarted) await this.time.run(this.time.now + 10);
    await done;
  }

  /** Start a relay that was away. */
  startRelay(relay: Relay): void {
    // After a stop that a kill has ended earlier.
    if (relay.machine.isOn) return;
    const start = relay.start().catch((error: unknown) => {
      // It was killed while it started.
      if (relay.machine.isOn) throw error;
    });
    // It takes no time in the world, but for its store: its length here depends on this machine.
    if (relay.waitsForStore) this.#awaitAtEnd(start);
    else this.standStill(start);
  }

  /** Run something at the bundled farm API: now, or once it runs. */
  atApi(run: (app: ApiApp) => Promise<void>): void {
    if (!this.bundled) return;
    const { app, machine, isStoreWell } = this.bundled;
    if (app && machine.isWorking && isStoreWell) this.standStill(run(app));
    else this.time.after(1_000, () => this.atApi(run));
  }

  /** End everything, whatever state it is in. */
  async end(): Promise<void> {
    for (const { phone } of this.people) phone.close();
    this.controller.powerOff();
    this.sensor?.powerOff();
    this.meter?.powerOff();
    this.further.close();
    // A process that is dropped while it starts would end later, in another world.
    for (const line of Object.values(this.lines)) line.mend();
    for (const { machine } of [this.api, ...this.relays.all]) machine.thaw();
    this.redis?.machine.thaw();
    if (this.redis?.machine.isOn === false) this.redis.start();
    await this.#untilStarted();
    for (const relay of this.relays.all) relay.kill();
    this.redis?.kill();
    this.api.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Let the world go on until what is starting has started; what was killed meanwhile never does. */
  async #untilStarted(): Promise<void> {
    let isStarting = true;
    void Promise.allSettled(this.#underWay).then(() => {
      isStarting = false;
    });
    for (let seconds = 0; isStarting && seconds < STARTED_WITHIN_S; seconds += 1)
      await this.time.run(this.time.now + 1_000);
  }
}

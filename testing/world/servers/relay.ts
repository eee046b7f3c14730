import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Random } from "@mulkko/shared/rules/clock";
import type { MqttSource, MqttSourceDeps } from "../../../relay/src/account/mqtt.ts";
import { type App, build, type Overrides } from "../../../relay/src/app.ts";
import { readConfig } from "../../../relay/src/config.ts";
import type { Session, TransportConnection } from "../../../relay/src/gateway/connection.ts";
import type { Edges } from "../../../relay/src/services.ts";
import { DispatchByCalls } from "../../../relay/testing/dispatch-by-calls.ts";
import { ofLaterVersion } from "../../../relay/testing/later-version.ts";
import { outTopicOf, type WorldBroker } from "../network/broker.ts";
import { callOver, fetchOver, type Host, type Injectable } from "../network/http.ts";
import type { Line } from "../network/line.ts";
import type { Machine, Process } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import { CALM, RELAY_KEY } from "./farm-api.ts";
import { clientsOver } from "./redis/redis-client.ts";
import type { RedisServer } from "./redis/redis-server.ts";

type OpenSession = (connection: TransportConnection) => Session;

const RECONNECT_MS = 2_000;
/** A process that is stopped ends after this time in any case (LIVE-3). */
const STOPPED_WITHIN_MS = 15_000;
const KEEP_ALIVE_MS = 15_000;

/** An answer without a socket waits by the time of this process, and for longer than its socket lives. */
const withoutSocketTimeouts: NonNullable<Overrides["onRoute"]> = (route) => {
  const own = route.onRequest === undefined ? [] : [route.onRequest].flat();
  const stop = async (_request: unknown, { raw }: { readonly raw: ServerResponse }): Promise<void> => {
    raw.setTimeout = () => raw;
  };
  route.onRequest = [stop, ...own];
};

/** The Redis of several relays, and a relay's line to it. */
export interface SharedStore {
  readonly server: RedisServer;
  readonly line: Line;
  /** For ids: which relay takes which accounts first depends on them. */
  readonly random: Random;
}

/** A relay on a machine, with its embedded store, or with the Redis that it shares. */
export class Relay {
  readonly machine: Machine;
  readonly #api: Host;
  readonly #shared: SharedStore | null;
  readonly #isPlain: boolean;
  /** Each start is of another build: this one, and one of a later version, in turn. */
  readonly #changesBuild: boolean;
  readonly #toApi: Line;
  readonly #toBroker: Line;
  readonly #broker: WorldBroker;
  readonly #time: WorldTime;
  readonly #random: Random;
  readonly #folder: string;
  readonly #lines: string[];
  #starts = 0;
  /** Holds the write lock of its store; null while it takes changes. */
  #lock: DatabaseSync | null = null;
  #isStopping = false;
  #app: App | null = null;
  #open: OpenSession | null = null;
  /** Called when it sends a command to the farm API, with the command's id and body. */
  onCommand: (commandId: string, body: unknown) => void = () => undefined;

  constructor(parts: {
    readonly machine: Machine;
    readonly api: Host;
    /** Null: it keeps its data itself. */
    readonly shared: SharedStore | null;
    /** The API knows only the calls of the specification. */
    readonly isPlain: boolean;
    /** Each start is of another build, in turn: upgrades and rollbacks (NODE-6). */
    readonly changesBuild: boolean;
    readonly toApi: Line;
    readonly toBroker: Line;
    readonly broker: WorldBroker;
    readonly time: WorldTime;
    readonly random: Random;
    readonly folder: string;
    readonly lines: string[];
  }) {
    this.machine = parts.machine;
    this.#api = parts.api;
    this.#shared = parts.shared;
    this.#isPlain = parts.isPlain;
    this.#changesBuild = parts.changesBuild;
    this.#toApi = parts.toApi;
    this.#toBroker = parts.toBroker;
    this.#broker = parts.broker;
    this.#time = parts.time;
    this.#random = parts.random;
    this.#folder = parts.folder;
    this.#lines = parts.lines;
  }

  get app(): App | null {
    return this.#app;
  }

  get server(): Injectable | null {
    return this.#app?.server ?? null;
  }

  /** Open a session of the live protocol; null while no relay listens. */
  get openSession(): OpenSession | null {
    return this.#open;
  }

  async start(): Promise<App> {
    this.#starts += 1;
    const process = this.machine.boot();
    const folder = this.#folderOf(this.#starts);
    mkdirSync(folder, { recursive: true });
    const before = join(this.#folderOf(this.#starts - 1), "relay");
    // What was stored at the kill, whatever the dead process still writes.
    if (existsSync(`${before}.killed`))
      cpSync(`${before}.killed`, join(folder, "relay"), { recursive: true });
    const config = readConfig({
      API_URL: "http://farm-api.world",
      PORT: "0",
      ...(this.#isPlain ? { RELAY_MQTT_URL: "off" } : { RELAY_MQTT_URL: "mqtt://farm-api.world", RELAY_KEY }),
      RELAY_SECRET: "secret-of-the-relay-of-the-world-0",
      ...(this.#shared && { REDIS_URL: "redis://redis.world" }),
      DATA_DIR: folder,
      LOG_LEVEL: "warn",
    });
    const hostOf = (): Host => this.#api;
    const send = fetchOver(this.#toApi, this.#time, hostOf);
    let open: OpenSession | null = null;
    const app = await build(config, {
      clock: process.clock,
      timers: process.timers,
      random: this.#random,
      onRoute: withoutSocketTimeouts,
      watchEventLoop: () => CALM,
      logStream: { write: (line) => void (process.isAlive() && this.#lines.push(line)) },
      edges: {
        fetch: (input, init) => {
          const commandId = new Headers(init?.headers).get("idempotency-key");
          if (commandId !== null) this.onCommand(commandId, init?.body);
          return send(input, init);
        },
        callTimers: process.timers,
        connectMqtt: (deps) => this.#connectMqtt(deps, process),
        createSchedule: () => ({ at: () => ({ cancel: () => undefined }) }),
        ...(this.#changesBuild && this.#starts % 2 === 0 && { overStore: ofLaterVersion }),
        ...this.#sharedEdges(process),
      },
      connect: () =>
        new DispatchByCalls((call, signal) =>
          callOver(this.#toApi, this.#time, hostOf(), { ...call, signal }),
        ),
      transport: (opener) => {
        open = opener;
      },
    });
    await app.server.ready();
    if (!process.isAlive()) throw new Error("the relay was killed while it started");
    this.#app = app;
    this.#open = open;
    return app;
  }

  #folderOf(start: number): string {
    return join(this.#folder, `${this.machine.name}-${start}`);
  }

  #sharedEdges(process: Process): Partial<Edges> {
    if (!this.#shared) return {};
    const { line, random, server } = this.#shared;
    return {
      createRedisClient: clientsOver(line, this.#time, process, server),
      newId: () => `${this.machine.name}-${Math.floor(random() * 1e12).toString(36)}`,
    };
  }

  /** True if its start takes time of the world: it waits for its store. */
  get waitsForStore(): boolean {
    return this.#shared !== null;
  }

  /** End in order, as for a new version; time of the world passes. */
  async stop(): Promise<void> {
    const { app } = this;
    if (!app) return;
    this.#isStopping = true;
    const late = new Promise<void>((resolve) => this.#time.after(STOPPED_WITHIN_MS, resolve));
    await Promise.race([app.server.close(), late]);
    if (this.#app === app) this.kill();
  }

  /** True from the beginning of a stop to its end. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Let its own store take no changes, or take them again. Nothing for one with a Redis. */
  fillStore(isFull: boolean): void {
    this.#lock?.close();
    this.#lock = null;
    if (!isFull || this.#shared || !this.#app) return;
    this.#lock = new DatabaseSync(join(this.#folderOf(this.#starts), "relay", "relay.sqlite"));
    this.#lock.exec("BEGIN IMMEDIATE");
  }

  /** True while its own store takes changes, or it has none. */
  get isStoreWell(): boolean {
    return this.#lock === null;
  }

  kill(): void {
    this.fillStore(false);
    const own = join(this.#folderOf(this.#starts), "relay");
    mkdirSync(`${own}.killed`, { recursive: true });
    for (const name of readdirSync(own)) {
      if (!name.startsWith("lock.")) cpSync(join(own, name), join(`${own}.killed`, name));
    }
    this.#app = null;
    this.#open = null;
    this.#isStopping = false;
    this.machine.kill();
  }

  #connectMqtt({ key, clock, observer }: MqttSourceDeps, process: Process): MqttSource {
    let isClosed = false;
    const connect = (): void => {
      if (isClosed || !process.isAlive()) return;
      let isOver = false;
      const again = (): void => {
        if (isOver) return;
        isOver = true;
        observer.state("down");
        process.timers.after(RECONNECT_MS, connect);
      };
      const connection = this.#broker.connect(
        this.#toBroker,
        { username: "relay", password: key ?? "", keepAliveMs: KEEP_ALIVE_MS, will: null },
        {
          connected() {
            connection.subscribe("mulkko/out/#");
            observer.state("up");
          },
          message(name, payload) {
            const topic = outTopicOf(name);
            if (topic === null) observer.rejected();
            else observer.message({ topic, payload, arrivedAt: clock.now() });
          },
          closed: again,
        },
      );
      const ping = (): void => {
        if (isOver) return;
        const late = process.timers.after(KEEP_ALIVE_MS, () => {
          connection.destroy();
          again();
        });
        connection.ping(() => {
          late.cancel();
          process.timers.after(KEEP_ALIVE_MS, ping);
        });
      };
      ping();
    };
    connect();
    return {
      async close() {
        isClosed = true;
      },
    };
  }
}

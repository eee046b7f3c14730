import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { Random } from "@mulkko/shared/rules/clock";
import type { MqttSource, MqttSourceDeps } from "../../relay/src/account/mqtt.ts";
import { type App, build, type Overrides } from "../../relay/src/app.ts";
import { readConfig } from "../../relay/src/config.ts";
import type { Session, TransportConnection } from "../../relay/src/gateway/connection.ts";
import { DispatchByCalls } from "../../relay/testing/dispatch-by-calls.ts";
import { outTopicOf, type WorldBroker } from "./broker.ts";
import { CALM, RELAY_KEY } from "./farm-api.ts";
import { callOver, fetchOver, type ServerThere } from "./http.ts";
import type { Line } from "./line.ts";
import type { Machine, Process } from "./machine.ts";
import type { WorldTime } from "./world-time.ts";

type OpenSession = (connection: TransportConnection) => Session;

const RECONNECT_MS = 2_000;
const KEEP_ALIVE_MS = 15_000;

/** An answer without a socket waits by the time of this process, and for longer than its socket lives. */
const withoutSocketTimeouts: NonNullable<Overrides["onRoute"]> = (route) => {
  const own = route.onRequest === undefined ? [] : [route.onRequest].flat();
  const stop = async (_request: unknown, { raw }: { readonly raw: ServerResponse }): Promise<void> => {
    raw.setTimeout = () => raw;
  };
  route.onRequest = [stop, ...own];
};

/** A relay on a machine, with its embedded store. */
export class Relay {
  readonly machine: Machine;
  readonly #api: { readonly app: ReturnType<ServerThere> };
  readonly #isPlain: boolean;
  readonly #toApi: Line;
  readonly #toBroker: Line;
  readonly #broker: WorldBroker;
  readonly #time: WorldTime;
  readonly #random: Random;
  readonly #folder: string;
  readonly #lines: string[];
  #starts = 0;
  #app: App | null = null;
  #open: OpenSession | null = null;
  /** Called when it sends a command to the farm API, with the command's id and body. */
  onCommand: (commandId: string, body: unknown) => void = () => undefined;

  constructor(parts: {
    readonly machine: Machine;
    readonly api: { readonly app: ReturnType<ServerThere> };
    /** The API knows only the calls of the specification. */
    readonly isPlain: boolean;
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
    this.#isPlain = parts.isPlain;
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

  /** Open a session of the live protocol; null while no relay listens. */
  get openSession(): OpenSession | null {
    return this.#open;
  }

  async start(): Promise<App> {
    this.#starts += 1;
    const process = this.machine.boot();
    const folder = join(this.#folder, `relay-${this.#starts}`);
    mkdirSync(folder, { recursive: true });
    const before = join(this.#folder, `relay-${this.#starts - 1}`, "relay");
    // What was stored at the kill, whatever the dead process still writes.
    if (existsSync(`${before}.killed`))
      cpSync(`${before}.killed`, join(folder, "relay"), { recursive: true });
    const config = readConfig({
      API_URL: "http://farm-api.world",
      PORT: "0",
      ...(this.#isPlain ? { RELAY_MQTT_URL: "off" } : { RELAY_MQTT_URL: "mqtt://farm-api.world", RELAY_KEY }),
      RELAY_SECRET: "secret-of-the-relay-of-the-world-0",
      DATA_DIR: folder,
      LOG_LEVEL: "warn",
    });
    const server = () => this.#api.app;
    const send = fetchOver(this.#toApi, this.#time, server);
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
      },
      connect: () =>
        new DispatchByCalls((call, signal) => callOver(this.#toApi, this.#time, server, { ...call, signal })),
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

  kill(): void {
    const own = join(this.#folder, `relay-${this.#starts}`, "relay");
    mkdirSync(`${own}.killed`, { recursive: true });
    for (const name of readdirSync(own)) {
      if (!name.startsWith("lock.")) cpSync(join(own, name), join(`${own}.killed`, name));
    }
    this.#app = null;
    this.#open = null;
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

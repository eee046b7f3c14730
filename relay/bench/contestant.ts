import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machineMs } from "@mulkko/e2e/bench/figures";
import { freePort } from "@mulkko/e2e/engines/free-port";
import { type RunningMosquitto, startMosquitto } from "@mulkko/e2e/engines/mosquitto";
import mqtt, { type MqttClient } from "mqtt";
import type { Static, TSchema } from "typebox";
import { type FakeFarmApi, startFakeFarmApi } from "../src/testing/fake-farm-api.ts";
import { type Child, startChild } from "./child.ts";
import type { DialectName } from "./crowd/dialects.ts";
import { Connected, Counted } from "./crowd/messages.ts";
import { benchAccounts, nextReading, type OutPublication } from "./farm.ts";
import { Cpu, Listening, Memory, type ServerQuestion } from "./servers/messages.ts";

/** A reading on its way, and when it was published: ms on the machine's monotonic clock. */
export interface Sent extends OutPublication {
  readonly sentAt: number;
}

/** One server with what it needs around it, its crowd of clients, and a broker on which readings come. */
export interface Contestant {
  readonly name: DialectName;
  readonly port: number;
  readonly crowd: Child;
  /** The farm API of the relay; it counts its calls. */
  readonly api: FakeFarmApi | undefined;
  ask<S extends TSchema>(question: ServerQuestion, answer: S): Promise<Static<S>>;
  /** CPU time of the server so far, ms. */
  cpuMs(): Promise<number>;
  memory(): Promise<Memory>;
  connect(sessions: number, atOnce?: number): Promise<{ ms: number; slowestMs: number }>;
  /** Waits for so many frames at each session; fails if a session had more or fewer than another. */
  counted(frames: number): Promise<Counted>;
  publish(account: number, sensor: number): Sent;
  stop(): Promise<void>;
}

export interface ContestantOptions {
  /** Accounts among which the crowd is shared out; the relay takes 1,000 sessions of each. */
  readonly accounts?: number;
  readonly sensors?: number;
  /** The relay's settings, on top of ours. */
  readonly env?: Readonly<Record<string, string>>;
}

const CONNECT_AT_ONCE = 50;
/** Clock ticks a second of `/proc`. */
const TICKS = 100;

/** CPU time of another process on this machine, ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ", 2)[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000;
}

interface Surroundings {
  readonly broker: RunningMosquitto;
  readonly publisher: MqttClient;
  readonly webSocketPort: number;
  readonly folder: string;
  readonly api: FakeFarmApi;
}

async function startSurroundings(accounts: number, sensors: number): Promise<Surroundings> {
  const webSocketPort = await freePort();
  const config = [`listener ${webSocketPort} 127.0.0.1`, "protocol websockets", "set_tcp_nodelay true"];
  const broker = await startMosquitto({ config });
  const api = await startFakeFarmApi(benchAccounts(accounts, sensors));
  api.extensions = ["mqtt-out"];
  const publisher = await mqtt.connectAsync(broker.url);
  const folder = await mkdtemp(join(tmpdir(), "mulkko-bench-"));
  return { broker, publisher, webSocketPort, folder, api };
}

function startServer(
  name: DialectName,
  { broker, api, folder }: Surroundings,
  env: ContestantOptions["env"],
): Child | undefined {
  if (name === "Mosquitto WebSocket") return undefined;
  const isRelay = name === "plain door" || name === "Socket.IO door";
  return startChild(isRelay ? "./servers/relay.ts" : "./servers/bare.ts", [name], {
    exposeGc: true,
    env: {
      API_URL: api.origin,
      HOST: "127.0.0.1",
      PORT: "0",
      RELAY_MQTT_URL: broker.url,
      DATA_DIR: folder,
      LOG_LEVEL: "error",
      ...env,
    },
  });
}

/** Starts a server and the processes around it; the crowd is empty at first. */
export async function startContestant(
  name: DialectName,
  { accounts = 1, sensors = 1, env = {} }: ContestantOptions = {},
): Promise<Contestant> {
  const around = await startSurroundings(accounts, sensors);
  const { broker, publisher, webSocketPort, api } = around;
  const child = startServer(name, around, env);
  const crowd = startChild("./crowd/crowd.ts", [name]);
  const askServer = (): Child => {
    if (!child) throw new Error(`${name} cannot be asked`);
    return child;
  };
  const port = child ? (await child.ask({ do: "listen" }, Listening)).port : webSocketPort;
  return {
    name,
    port,
    crowd,
    api: name.endsWith("door") ? api : undefined,
    ask: (question, answer) => askServer().ask(question, answer),
    async cpuMs() {
      if (child) return (await child.ask({ do: "cpu" }, Cpu)).ms;
      if (broker.pid === undefined) throw new Error("the CPU time of a broker in a container is not known");
      return cpuOf(broker.pid);
    },
    memory: () => askServer().ask({ do: "memory" }, Memory),
    connect: (sessions, atOnce = CONNECT_AT_ONCE) =>
      crowd.ask({ do: "connect", port, sessions, accounts, atOnce }, Connected),
    async counted(frames) {
      const counted = await crowd.ask({ do: "await", frames }, Counted);
      if (counted.fewest !== counted.most) {
        throw new Error(`${name}: a session got ${counted.fewest} frames, another ${counted.most}`);
      }
      return counted;
    },
    publish(account, sensor) {
      const reading = nextReading(account, sensor);
      const sentAt = machineMs();
      publisher.publish(reading.topic, reading.payload, { qos: 0 });
      return { ...reading, sentAt };
    },
    async stop() {
      await crowd.stop();
      await child?.stop();
      await publisher.endAsync(true);
      await api.close();
      await broker.stop();
      await rm(around.folder, { recursive: true, force: true });
    },
  };
}

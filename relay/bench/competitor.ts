import { readFileSync } from "node:fs";
import type { Static, TSchema } from "typebox";
import type { FakeFarmApi } from "../testing/fake-farm-api.ts";
import { type Child, startChild } from "./child.ts";
import { Connected, Counted } from "./clients/messages.ts";
import type { ProtocolName } from "./clients/protocols.ts";
import { Cpu, Listening, Memory, type ServerQuestion } from "./servers/messages.ts";
import { type Sent, startSurroundings } from "./surroundings.ts";

/** One server with its dependencies, its load generator, and a broker for readings. */
export interface Competitor {
  readonly name: ProtocolName;
  readonly port: number;
  readonly loadGenerator: Child;
  /** The farm API of the relay; it counts its calls. */
  readonly api: FakeFarmApi | undefined;
  ask<S extends TSchema>(question: ServerQuestion, answer: S): Promise<Static<S>>;
  /** Return the CPU time of the server so far, ms. */
  cpuMs(): Promise<number>;
  memory(): Promise<Memory>;
  /** Connect more sessions. */
  connect(sessions: number): Promise<{ ms: number }>;
  /** Wait for a number of frames at each session; fail if sessions have different numbers. */
  counted(frames: number): Promise<Counted>;
  publish(account: number, sensor: number): Sent;
  stop(): Promise<void>;
}

export interface CompetitorOptions {
  /** Accounts among which the sessions are shared out; the relay accepts 1,000 sessions of each. */
  readonly accounts?: number;
  readonly sensors?: number;
  /** The relay's settings, added to the common ones. */
  readonly env?: Readonly<Record<string, string>>;
}

const CONNECT_AT_ONCE = 50;
/** Clock ticks per second of `/proc`. */
const TICKS = 100;

/** Return the CPU time of another process on this machine, ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ", 2)[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000;
}

/** Start a server and the processes around it, without sessions at first. */
export async function startCompetitor(
  name: ProtocolName,
  { accounts = 1, sensors = 1, env = {} }: CompetitorOptions = {},
): Promise<Competitor> {
  const around = await startSurroundings(accounts, sensors);
  const { broker, webSocketPort, api, publish } = around;
  const isRelay = name === "WebSocket transport" || name === "Socket.IO transport";
  const child =
    name === "Mosquitto WebSocket"
      ? undefined
      : await around.start(isRelay ? "./servers/relay.ts" : "./servers/bare.ts", name, env);
  const loadGenerator = startChild("./clients/load-generator.ts", [name]);
  const server = (): Child => {
    if (!child) throw new Error(`${name} cannot be asked`);
    return child;
  };
  const port = child ? (await child.ask({ do: "listen" }, Listening)).port : webSocketPort;
  return {
    name,
    port,
    loadGenerator,
    api: isRelay ? api : undefined,
    ask: (question, answer) => server().ask(question, answer),
    async cpuMs() {
      if (child) return (await child.ask({ do: "cpu" }, Cpu)).ms;
      if (broker.pid === undefined) throw new Error("the CPU time of a broker in a container is not known");
      return cpuOf(broker.pid);
    },
    memory: () => server().ask({ do: "memory" }, Memory),
    connect: (sessions) =>
      loadGenerator.ask({ do: "connect", port, sessions, accounts, atOnce: CONNECT_AT_ONCE }, Connected),
    async counted(frames) {
      const counted = await loadGenerator.ask({ do: "await", frames }, Counted);
      if (counted.fewest !== counted.most) {
        throw new Error(`${name}: a session got ${counted.fewest} frames, another ${counted.most}`);
      }
      return counted;
    },
    publish,
    async stop() {
      await loadGenerator.stop();
      await child?.stop();
      await around.close();
    },
  };
}

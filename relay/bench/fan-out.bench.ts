/**
 * Fan out one account's frames to its sessions: the relay's WebSocket transport against a bare `ws` server
 * that sends the same prepared bytes. Each server and each load generator is a separate process. Rounds
 * alternate, and so does the server that begins a round.
 */

import { machine, median } from "@mulkko/testing/bench/figures";
import { type Child, startChild } from "./child.ts";
import { Connected, Counted, Latencies, Listening, Ran } from "./fan-out-messages.ts";
import { BENCH } from "./options.ts";

const NAMES = ["bare ws", "relay"] as const;

interface Round {
  readonly perCpuSecond: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

interface Runner {
  readonly name: (typeof NAMES)[number];
  readonly server: Child;
  readonly clients: Child;
  readonly rounds: Round[];
}

async function prepare(name: (typeof NAMES)[number]): Promise<Runner> {
  const kind = name === "relay" ? "relay" : "bare";
  const server = startChild("./fan-out-server.ts", [kind]);
  const clients = startChild("./fan-out-clients.ts", [kind]);
  const { port } = await server.ask({ do: "listen" }, Listening);
  await clients.ask({ do: "connect", port, sessions: BENCH.sessions }, Connected);
  return { name, server, clients, rounds: [] };
}

/** Send ticks and wait for their frames; every frame of every tick must arrive. */
async function send({ name, server, clients }: Runner, ticks: number, tickMs: number) {
  const [ran, counted] = await Promise.all([
    server.ask({ do: "run", ticks, tickMs }, Ran),
    clients.ask({ do: "await", ticks }, Counted),
  ]);
  const due = ticks * BENCH.sessions;
  if (counted.frames !== due) throw new Error(`${name}: ${counted.frames} of ${due} frames came`);
  return { ...ran, ...counted };
}

/** Send ticks at a steady pace: measure the server's CPU time per frame, and the latency. */
async function steady(runner: Runner) {
  const { seconds, tickMs } = BENCH;
  const { cpuMs, frames, frameBytes, sentAt } = await send(
    runner,
    Math.round((seconds * 1_000) / tickMs),
    tickMs,
  );
  const latencies = await runner.clients.ask({ do: "latencies", sentAt }, Latencies);
  return { perCpuSecond: frames / (cpuMs / 1_000), frameBytes, ...latencies };
}

/** Send bursts, each after the one before has arrived: measure the frames per second of the two processes. */
async function flood(runner: Runner): Promise<number> {
  let frames = 0;
  let ms = 0;
  while (ms < BENCH.seconds * 1_000) {
    const burst = await send(runner, BENCH.burst, 0);
    frames += burst.frames;
    ms += burst.lastAt - (burst.sentAt[0] ?? Number.NaN);
  }
  return frames / (ms / 1_000);
}

async function round(runner: Runner, label: string): Promise<Round> {
  const { perCpuSecond, p50, p99, max, frameBytes } = await steady(runner);
  const perSecond = await flood(runner);
  console.log(
    `${label.padEnd(8)} ${runner.name.padEnd(8)} ${Math.round(perCpuSecond)} frames per CPU second, ` +
      `${Math.round(perSecond)} deliveries/s flat out, ` +
      `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} max ${max.toFixed(1)} ms (${Math.round(frameBytes)} B)`,
  );
  return { perCpuSecond, perSecond, p50, p99 };
}

const runners: Runner[] = [];
try {
  const { sessions, readings, tickMs, rounds } = BENCH;
  console.log(machine());
  console.log(
    `${sessions} sessions of one account, ${readings} changed readings a tick, ${1_000 / tickMs} ticks/s`,
  );
  for (const name of NAMES) runners.push(await prepare(name));
  for (const runner of runners) await round(runner, "warm-up");
  for (let count = 1; count <= rounds; count += 1) {
    for (const runner of count % 2 === 1 ? runners : runners.toReversed()) {
      runner.rounds.push(await round(runner, `${count} of ${rounds}`));
    }
  }
  const medianOf = (runner: Runner, of: keyof Round): number => median(runner.rounds.map((one) => one[of]));
  const [bare, relay] = runners;
  if (!bare || !relay) throw new Error("two contestants are needed");
  const line = (of: keyof Round, what: string, digits: number): void => {
    const [one, other] = [medianOf(relay, of), medianOf(bare, of)];
    console.log(
      `${what.padEnd(26)} relay ${one.toFixed(digits)}  bare ws ${other.toFixed(digits)}  ratio ${(one / other).toFixed(2)}`,
    );
  };
  console.log(`\nmedians of ${rounds} rounds`);
  line("perCpuSecond", "frames per CPU second", 0);
  line("perSecond", "deliveries/s, flat out", 0);
  line("p50", "p50 at a steady pace, ms", 1);
  line("p99", "p99 at a steady pace, ms", 1);
  console.log(machine());
  console.log("aim: frames per CPU second ≥ 0.90 × bare ws");
} finally {
  await Promise.all(runners.flatMap(({ server, clients }) => [server.stop(), clients.stop()]));
}

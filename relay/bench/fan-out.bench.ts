/**
 * Frames delivered per CPU second of the server: the relay's plain door against a bare `ws` server that sends the
 * same bytes, prepared beforehand. Each server and each crowd of clients has a process of its own; rounds take turns.
 */
import { type Child, startChild } from "./child.ts";
import { Connected, Counted, Listening, Ran } from "./fan-out-messages.ts";
import { BENCH, median } from "./options.ts";

const NAMES = ["bare", "relay"] as const;

interface Runner {
  readonly name: (typeof NAMES)[number];
  readonly server: Child;
  readonly clients: Child;
  readonly perCpuSecond: number[];
}

async function prepare(name: (typeof NAMES)[number]): Promise<Runner> {
  const server = startChild("./fan-out-server.ts", [name]);
  const clients = startChild("./fan-out-clients.ts", [name]);
  const { port } = await server.ask({ do: "listen" }, Listening);
  await clients.ask({ do: "connect", port, sessions: BENCH.sessions }, Connected);
  return { name, server, clients, perCpuSecond: [] };
}

async function round({ name, server, clients, perCpuSecond }: Runner, isMeasured: boolean): Promise<void> {
  const { sessions, seconds, tickMs } = BENCH;
  const ticks = Math.round((seconds * 1_000) / tickMs);
  const [{ cpuMs, frameBytes }, { frames }] = await Promise.all([
    server.ask({ do: "run", ticks, tickMs }, Ran),
    clients.ask({ do: "await", frames: ticks * sessions }, Counted),
  ]);
  const rate = frames / (cpuMs / 1_000);
  if (isMeasured) perCpuSecond.push(rate);
  const share = ((100 * frames) / (ticks * sessions)).toFixed(1);
  console.log(
    `${name.padEnd(6)} ${frames} frames of ${Math.round(frameBytes)} B (${share} %), ${Math.round(cpuMs)} ms CPU, ` +
      `${Math.round(rate)} frames per CPU second${isMeasured ? "" : " (warm-up)"}`,
  );
}

const runners: Runner[] = [];
try {
  for (const name of NAMES) runners.push(await prepare(name));
  for (let count = 0; count <= BENCH.rounds; count += 1) {
    for (const runner of runners) await round(runner, count > 0);
  }
  const [bare = Number.NaN, relay = Number.NaN] = runners.map(({ perCpuSecond }) => median(perCpuSecond));
  console.log(
    `fan-out to ${BENCH.sessions} sessions: relay / bare ws = ${(relay / bare).toFixed(2)} (target ≥ 0.9)`,
  );
} finally {
  await Promise.all(runners.flatMap(({ server, clients }) => [server.stop(), clients.stop()]));
}

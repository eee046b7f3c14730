/**
 * Close five thousand connections of a node, whose sessions reconnect at once, each from its position.
 * Measure the time until all are up to date again, and the calls of the farm API meanwhile. The baseline is a
 * bare `ws` server that accepts as many connections, and sends nothing to them.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine } from "@mulkko/testing/bench/figures";
import { Connected, Done } from "./clients/messages.ts";
import { type Competitor, startCompetitor } from "./competitor.ts";
import { BENCH } from "./options.ts";

/** The relay accepts 1,000 sessions of an account. */
const PER_ACCOUNT = 1_000;
/** ms after which the effects of connecting are over, including polls of the first second. */
const SETTLE_MS = 8_000;

interface Figures {
  readonly ms: number;
  readonly slowestMs: number;
  readonly cpuMs: number;
  /** Calls of the farm API during the reconnects, and in the same time before. */
  readonly calls: number;
  readonly callsBefore: number;
}

async function measure(name: Competitor["name"]): Promise<Figures> {
  const { reconnectSessions } = BENCH;
  const accounts = Math.ceil(reconnectSessions / PER_ACCOUNT);
  const competitor = await startCompetitor(name, { accounts });
  const { api, loadGenerator, port } = competitor;
  const callsSoFar = (): number => api?.calls.length ?? 0;
  try {
    await competitor.connect(reconnectSessions);
    await wait(SETTLE_MS);
    // Publish while no client is connected, so that there is something to catch up with.
    await loadGenerator.ask({ do: "drop" }, Done);
    for (let account = 0; account < accounts; account += 1) competitor.publish(account, 0);
    await wait(1_000);
    const [callsAt, cpuAt] = [callsSoFar(), await competitor.cpuMs()];
    const back = await loadGenerator.ask(
      { do: "return", ports: [port], atOnce: reconnectSessions },
      Connected,
    );
    if (api && back.resumed !== reconnectSessions) throw new Error(`${name}: only ${back.resumed} resumed`);
    const [calls, cpuMs] = [callsSoFar() - callsAt, (await competitor.cpuMs()) - cpuAt];
    const quietAt = callsSoFar();
    await wait(back.ms);
    return { ms: back.ms, slowestMs: back.slowestMs, cpuMs, calls, callsBefore: callsSoFar() - quietAt };
  } finally {
    await competitor.stop();
  }
}

console.log(machine());
console.log(`${BENCH.reconnectSessions} sessions come back at once`);
const names = ["WebSocket transport", "Socket.IO transport", "bare ws", "plain Socket.IO"] as const;
const figures = new Map<(typeof names)[number], Figures>();
for (const name of names) {
  const found = await measure(name);
  figures.set(name, found);
  const { ms, slowestMs, cpuMs, calls, callsBefore } = found;
  console.log(
    `${name.padEnd(16)} all up to date within ${(ms / 1_000).toFixed(1)} s (the slowest took ${(slowestMs / 1_000).toFixed(1)} s), ` +
      `CPU ${(cpuMs / BENCH.reconnectSessions).toFixed(2)} ms a session; ` +
      `${calls} calls to the farm API, ${callsBefore} in as long a time without`,
  );
}
for (const [transport, baseline] of [
  ["WebSocket transport", "bare ws"],
  ["Socket.IO transport", "plain Socket.IO"],
] as const) {
  const [mine, other] = [figures.get(transport), figures.get(baseline)];
  if (!mine || !other) throw new Error("a competitor is missing");
  console.log(
    `${transport.padEnd(16)} ${(mine.ms / other.ms).toFixed(2)} × ${baseline} (time), ${(mine.cpuMs / other.cpuMs).toFixed(2)} (CPU)`,
  );
}
console.log("aim: all resumed within 15 s; calls to the farm API do not rise");
console.log(machine());

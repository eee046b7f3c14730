/**
 * Five thousand sessions of a node lose their connections and come back at once, each from where it stood: how long
 * until all are up to date again, and what the farm API is asked meanwhile. The baseline is a bare `ws` server that
 * takes as many connections back, and says nothing to them.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine } from "@mulkko/e2e/bench/figures";
import { type Contestant, startContestant } from "./contestant.ts";
import { Connected, Done } from "./crowd/messages.ts";
import { BENCH } from "./options.ts";

/** The relay takes 1,000 sessions of an account. */
const PER_ACCOUNT = 1_000;
/** Everything that connecting sets off, polls of the first second among them, is over. */
const SETTLE_MS = 8_000;

interface Figures {
  readonly ms: number;
  readonly slowestMs: number;
  readonly cpuMs: number;
  /** Calls to the farm API while the sessions came back, and in as long a time before. */
  readonly calls: number;
  readonly callsBefore: number;
}

async function measure(name: Contestant["name"]): Promise<Figures> {
  const { reconnectSessions } = BENCH;
  const accounts = Math.ceil(reconnectSessions / PER_ACCOUNT);
  const contestant = await startContestant(name, { accounts });
  const { api, crowd, port } = contestant;
  const callsSoFar = (): number => api?.calls.length ?? 0;
  try {
    await contestant.connect(reconnectSessions);
    await wait(SETTLE_MS);
    // Something happens while nobody is there, so that there is something to catch up with.
    await crowd.ask({ do: "drop" }, Done);
    for (let account = 0; account < accounts; account += 1) contestant.publish(account, 0);
    await wait(1_000);
    const [callsAt, cpuAt] = [callsSoFar(), await contestant.cpuMs()];
    const back = await crowd.ask({ do: "return", ports: [port], atOnce: reconnectSessions }, Connected);
    if (api && back.resumed !== reconnectSessions) throw new Error(`${name}: only ${back.resumed} resumed`);
    const [calls, cpuMs] = [callsSoFar() - callsAt, (await contestant.cpuMs()) - cpuAt];
    const quietAt = callsSoFar();
    await wait(back.ms);
    return { ms: back.ms, slowestMs: back.slowestMs, cpuMs, calls, callsBefore: callsSoFar() - quietAt };
  } finally {
    await contestant.stop();
  }
}

console.log(machine());
console.log(`${BENCH.reconnectSessions} sessions come back at once`);
const names = ["plain door", "Socket.IO door", "bare ws", "plain Socket.IO"] as const;
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
for (const [door, baseline] of [
  ["plain door", "bare ws"],
  ["Socket.IO door", "plain Socket.IO"],
] as const) {
  const [mine, other] = [figures.get(door), figures.get(baseline)];
  if (!mine || !other) throw new Error("a contestant is missing");
  console.log(
    `${door.padEnd(16)} ${(mine.ms / other.ms).toFixed(2)} × ${baseline} (time), ${(mine.cpuMs / other.cpuMs).toFixed(2)} (CPU)`,
  );
}
console.log("aim: all resumed within 15 s; calls to the farm API do not rise");
console.log(machine());

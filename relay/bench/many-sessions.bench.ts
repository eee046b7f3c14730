/**
 * Open fifteen thousand sessions on one node, at the WebSocket transport of the whole relay: all are
 * accepted, and none loses a frame of its account. The baseline is a bare `ws` server with as many clients,
 * which sends as many bytes to each. The clients have many addresses, because the relay accepts 500
 * connections of one. Descriptors (`ulimit -n`) limit the number of clients.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine, median, percentile } from "@mulkko/testing/bench/figures";
import { Latencies } from "./clients/messages.ts";
import { type Competitor, startCompetitor } from "./competitor.ts";
import { BENCH } from "./options.ts";
import { Done } from "./servers/messages.ts";

/** The relay accepts 1,000 sessions of an account. */
const PER_ACCOUNT = 1_000;
const SETTLE_MS = 3_000;
const MIB = 1_024 * 1_024;

interface Figures {
  readonly name: string;
  readonly connectS: number;
  readonly rssMiB: number;
  readonly usPerFrame: number;
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
}

async function measure(name: Competitor["name"], frameBytes: number): Promise<Figures> {
  const { manySessions, manyRounds } = BENCH;
  const accounts = Math.ceil(manySessions / PER_ACCOUNT);
  const competitor = await startCompetitor(name, { accounts });
  const isRelay = competitor.api !== undefined;
  try {
    const { ms } = await competitor.connect(manySessions);
    await wait(SETTLE_MS);
    if (!isRelay) await competitor.ask({ do: "prepare", bytes: frameBytes }, Done);
    const { rss } = await competitor.memory();
    const latencies: number[] = [];
    const usPerFrame: number[] = [];
    let size = 0;
    for (let round = 0; round <= manyRounds; round += 1) {
      const before = await competitor.cpuMs();
      // A bare server sends each publication to all clients; the relay, to those of its account.
      const sent = Array.from({ length: isRelay ? accounts : 1 }, (_, account) =>
        competitor.publish(account, 0),
      );
      const { frames, fewest, bytes } = await competitor.counted(1);
      if (fewest !== 1) throw new Error(`${name}: only ${frames} of ${manySessions} frames came`);
      size = bytes;
      if (round === 0) continue;
      usPerFrame.push((((await competitor.cpuMs()) - before) * 1_000) / frames);
      const sentAt = [sent[0]?.sentAt ?? Number.NaN];
      const { all } = await competitor.loadGenerator.ask({ do: "latencies", sentAt, frames: [0] }, Latencies);
      for (const one of all) latencies.push(one);
    }
    return {
      name,
      connectS: ms / 1_000,
      rssMiB: rss / MIB,
      usPerFrame: median(usPerFrame),
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      bytes: size,
    };
  } finally {
    await competitor.stop();
  }
}

console.log(machine());
console.log(`${BENCH.manySessions} sessions, a reading of each account ${BENCH.manyRounds} times`);
const relay = await measure("WebSocket transport", 0);
const bare = await measure("bare ws", Math.round(relay.bytes));
for (const { name, connectS, rssMiB, usPerFrame, p50, p99, bytes } of [relay, bare]) {
  console.log(
    `${name.padEnd(12)} all let in within ${connectS.toFixed(1)} s, ${rssMiB.toFixed(0)} MiB; no frame lost, ` +
      `CPU ${usPerFrame.toFixed(1)} µs a frame of ${Math.round(bytes)} B, arrival p50 ${p50.toFixed(0)} p99 ${p99.toFixed(0)} ms`,
  );
}
const ratio = (of: "connectS" | "rssMiB" | "usPerFrame" | "p50" | "p99"): string =>
  (relay[of] / bare[of]).toFixed(2);
console.log(
  `ratio to bare ws: letting in ${ratio("connectS")}, memory ${ratio("rssMiB")}, CPU a frame ${ratio("usPerFrame")}, ` +
    `p50 ${ratio("p50")}, p99 ${ratio("p99")}`,
);
console.log("aim: 15,000 without loss");
console.log(machine());

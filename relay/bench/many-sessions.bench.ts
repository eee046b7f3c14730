/**
 * Fifteen thousand sessions on one node, at the plain door of the whole relay: all are let in, and none loses a frame of
 * its account. The baseline is a bare `ws` server with as many clients, which sends as many bytes to each. The clients
 * have many addresses, as the relay takes 500 connections of one; descriptors (`ulimit -n`) bound how many there are.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine, median, percentile } from "@mulkko/e2e/bench/figures";
import { type Contestant, startContestant } from "./contestant.ts";
import { Latencies } from "./crowd/messages.ts";
import { BENCH } from "./options.ts";
import { Done } from "./servers/messages.ts";

/** The relay takes 1,000 sessions of an account. */
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

async function measure(name: Contestant["name"], frameBytes: number): Promise<Figures> {
  const { manySessions, manyRounds } = BENCH;
  const accounts = Math.ceil(manySessions / PER_ACCOUNT);
  const contestant = await startContestant(name, { accounts });
  const isRelay = contestant.api !== undefined;
  try {
    const { ms } = await contestant.connect(manySessions);
    await wait(SETTLE_MS);
    if (!isRelay) await contestant.ask({ do: "prepare", bytes: frameBytes }, Done);
    const { rss } = await contestant.memory();
    const latencies: number[] = [];
    const usPerFrame: number[] = [];
    let size = 0;
    for (let round = 0; round <= manyRounds; round += 1) {
      const before = await contestant.cpuMs();
      // A bare server sends each publication to everybody; the relay, to those whose account it is of.
      const sent = Array.from({ length: isRelay ? accounts : 1 }, (_, account) =>
        contestant.publish(account, 0),
      );
      const { frames, fewest, bytes } = await contestant.counted(1);
      if (fewest !== 1) throw new Error(`${name}: only ${frames} of ${manySessions} frames came`);
      size = bytes;
      if (round === 0) continue;
      usPerFrame.push((((await contestant.cpuMs()) - before) * 1_000) / frames);
      const sentAt = [sent[0]?.sentAt ?? Number.NaN];
      const { all } = await contestant.crowd.ask({ do: "latencies", sentAt, frames: [0] }, Latencies);
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
    await contestant.stop();
  }
}

console.log(machine());
console.log(`${BENCH.manySessions} sessions, a reading of each account ${BENCH.manyRounds} times`);
const relay = await measure("plain door", 0);
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

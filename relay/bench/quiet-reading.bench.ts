/**
 * Measure one reading on a quiet account: from its publication at the broker to the write for the last of a
 * thousand sessions, at each transport of the whole relay (with its store, its polling and a farm API).
 * Baselines are a bare `ws` server and plain Socket.IO that send as many bytes to as many clients for the
 * same publication. The competitors alternate; the machine does nothing else meanwhile.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine, percentile, spread } from "@mulkko/testing/bench/figures";
import { Latencies } from "./clients/messages.ts";
import { type Competitor, startCompetitor } from "./competitor.ts";
import { framesOf } from "./frames-of.ts";
import { BENCH } from "./options.ts";
import { Done, Writes } from "./servers/messages.ts";
import type { Sent } from "./surroundings.ts";

/** Each transport, its baseline, and the targets for the last write, ms. */
const PAIRS = [
  { transport: "WebSocket transport", baseline: "bare ws", p50: 15, p99: 60 },
  { transport: "Socket.IO transport", baseline: "plain Socket.IO", p50: 20, p99: 80 },
] as const;
/** ms after which the effects of connecting are over. */
const SETTLE_MS = 3_000;
/** Jitter of the pace in ms, so that it does not synchronise with a server's timer. */
const UNEVEN_MS = 37;

interface Runner {
  readonly competitor: Competitor;
  /** ms from the publication to the last write, and to the arrival at the last session. */
  readonly written: number[];
  readonly arrived: number[];
  bytes: number;
}

async function prepare(name: Competitor["name"]): Promise<Runner> {
  const competitor = await startCompetitor(name);
  const runner: Runner = { competitor, written: [], arrived: [], bytes: 0 };
  runners.push(runner);
  await competitor.connect(BENCH.sessions);
  await competitor.ask({ do: "note-writes" }, Done);
  return runner;
}

async function round(runner: Runner, readings: number, isMeasured: boolean): Promise<void> {
  const { competitor } = runner;
  await competitor.ask({ do: "writes" }, Writes);
  const sent: Sent[] = [];
  for (let count = 0; count < readings; count += 1) {
    sent.push(competitor.publish(0, 0));
    await wait(BENCH.quietReadingMs + ((count * 11) % UNEVEN_MS));
  }
  const { bytes, bodies } = await competitor.counted(readings);
  const { at } = await competitor.ask({ do: "writes" }, Writes);
  runner.bytes = bytes;
  if (!isMeasured) return;
  const frames = framesOf(competitor, sent, bodies);
  const sentAt = sent.map((one) => one.sentAt);
  runner.written.push(...frames.map((frame, index) => (at[frame] ?? Number.NaN) - (sentAt[index] ?? 0)));
  const { last } = await competitor.loadGenerator.ask({ do: "latencies", sentAt, frames }, Latencies);
  runner.arrived.push(...last);
}

function report(transport: Runner, baseline: Runner, aim: { p50: number; p99: number }): void {
  const ratio = (of: "written" | "arrived", share: number): string =>
    (percentile(transport[of], share) / percentile(baseline[of], share)).toFixed(2);
  for (const { competitor, written, arrived, bytes } of [transport, baseline]) {
    console.log(`${competitor.name.padEnd(16)} last write    ${spread(written)}  (${Math.round(bytes)} B)`);
    console.log(`${"".padEnd(16)} last arrival  ${spread(arrived)}`);
  }
  console.log(
    `ratio            last write    p50 ${ratio("written", 0.5)}  p99 ${ratio("written", 0.99)} × ${baseline.competitor.name}` +
      `; aim p50 ≤ ${aim.p50}, p99 ≤ ${aim.p99} ms`,
  );
}

const runners: Runner[] = [];
try {
  const { sessions, quietRounds, quietReadings } = BENCH;
  console.log(machine());
  console.log(`${sessions} sessions of one account, ${quietRounds} rounds of ${quietReadings} readings`);
  const pairs = [];
  for (const { transport, baseline, p50, p99 } of PAIRS) {
    const pair = {
      transport: await prepare(transport),
      baseline: await prepare(baseline),
      aim: { p50, p99 },
    };
    pairs.push(pair);
  }
  await wait(SETTLE_MS);
  for (const { transport, baseline } of pairs) {
    await round(transport, 10, false);
    await baseline.competitor.ask({ do: "prepare", bytes: Math.round(transport.bytes) }, Done);
    await round(baseline, 10, false);
  }
  for (let count = 0; count < quietRounds; count += 1) {
    for (const runner of count % 2 === 0 ? runners : runners.toReversed()) {
      await round(runner, quietReadings, true);
    }
  }
  for (const { transport, baseline, aim } of pairs) report(transport, baseline, aim);
  console.log(machine());
} finally {
  await Promise.all(runners.map(({ competitor }) => competitor.stop()));
}

/**
 * One reading on a quiet account: from its publication at the broker to the last of a thousand sessions' write, at
 * either door of the whole relay (its store, its polling, its farm API beside it). Baselines are a bare `ws` server and
 * plain Socket.IO that send as many bytes to as many clients when they hear the same publication. The contestants take
 * turns; nothing else is asked of the machine meanwhile.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine, percentile, spread } from "@mulkko/e2e/bench/figures";
import { type Contestant, startContestant } from "./contestant.ts";
import { Latencies } from "./crowd/messages.ts";
import { framesOf } from "./frames-of.ts";
import { BENCH } from "./options.ts";
import { Done, Writes } from "./servers/messages.ts";
import type { Sent } from "./surroundings.ts";

/** Each door, the baseline that goes before it, and the aims for the last write, ms. */
const PAIRS = [
  { door: "plain door", baseline: "bare ws", p50: 15, p99: 60 },
  { door: "Socket.IO door", baseline: "plain Socket.IO", p50: 20, p99: 80 },
] as const;
/** ms for what connecting sets off to be over. */
const SETTLE_MS = 3_000;
/** The pace is uneven by so many ms, so that it keeps no step with any timer of a server. */
const UNEVEN_MS = 37;

interface Runner {
  readonly contestant: Contestant;
  /** From the publication to the last write, and to the arrival at the last session, ms. */
  readonly written: number[];
  readonly arrived: number[];
  bytes: number;
}

async function prepare(name: Contestant["name"]): Promise<Runner> {
  const contestant = await startContestant(name);
  const runner: Runner = { contestant, written: [], arrived: [], bytes: 0 };
  runners.push(runner);
  await contestant.connect(BENCH.sessions);
  await contestant.ask({ do: "note-writes" }, Done);
  return runner;
}

async function round(runner: Runner, readings: number, isMeasured: boolean): Promise<void> {
  const { contestant } = runner;
  await contestant.ask({ do: "writes" }, Writes);
  const sent: Sent[] = [];
  for (let count = 0; count < readings; count += 1) {
    sent.push(contestant.publish(0, 0));
    await wait(BENCH.quietReadingMs + ((count * 11) % UNEVEN_MS));
  }
  const { bytes, bodies } = await contestant.counted(readings);
  const { at } = await contestant.ask({ do: "writes" }, Writes);
  runner.bytes = bytes;
  if (!isMeasured) return;
  const frames = framesOf(contestant, sent, bodies);
  const sentAt = sent.map((one) => one.sentAt);
  runner.written.push(...frames.map((frame, index) => (at[frame] ?? Number.NaN) - (sentAt[index] ?? 0)));
  const { last } = await contestant.crowd.ask({ do: "latencies", sentAt, frames }, Latencies);
  runner.arrived.push(...last);
}

function report(door: Runner, baseline: Runner, aim: { p50: number; p99: number }): void {
  const ratio = (of: "written" | "arrived", share: number): string =>
    (percentile(door[of], share) / percentile(baseline[of], share)).toFixed(2);
  for (const { contestant, written, arrived, bytes } of [door, baseline]) {
    console.log(`${contestant.name.padEnd(16)} last write    ${spread(written)}  (${Math.round(bytes)} B)`);
    console.log(`${"".padEnd(16)} last arrival  ${spread(arrived)}`);
  }
  console.log(
    `ratio            last write    p50 ${ratio("written", 0.5)}  p99 ${ratio("written", 0.99)} × ${baseline.contestant.name}` +
      `; aim p50 ≤ ${aim.p50}, p99 ≤ ${aim.p99} ms`,
  );
}

const runners: Runner[] = [];
try {
  const { sessions, quietRounds, quietReadings } = BENCH;
  console.log(machine());
  console.log(`${sessions} sessions of one account, ${quietRounds} rounds of ${quietReadings} readings`);
  const pairs = [];
  for (const { door, baseline, p50, p99 } of PAIRS) {
    const pair = { door: await prepare(door), baseline: await prepare(baseline), aim: { p50, p99 } };
    pairs.push(pair);
  }
  await wait(SETTLE_MS);
  for (const { door, baseline } of pairs) {
    await round(door, 10, false);
    await baseline.contestant.ask({ do: "prepare", bytes: Math.round(door.bytes) }, Done);
    await round(baseline, 10, false);
  }
  for (let count = 0; count < quietRounds; count += 1) {
    for (const runner of count % 2 === 0 ? runners : runners.toReversed()) {
      await round(runner, quietReadings, true);
    }
  }
  for (const { door, baseline, aim } of pairs) report(door, baseline, aim);
  console.log(machine());
} finally {
  await Promise.all(runners.map(({ contestant }) => contestant.stop()));
}

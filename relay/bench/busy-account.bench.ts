/**
 * Measure 200 readings a second on one account with 200 sessions: the latency of each reading to each
 * session, and the server's CPU time. The relay collects for 100 ms (SUB-6). Plain Socket.IO, a bare `ws`
 * server and Mosquitto's own WebSocket listener forward every reading by itself. All receive the same
 * publications; Mosquitto is also their broker.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine, median, percentile, spread } from "@mulkko/testing/bench/figures";
import { Latencies } from "./clients/messages.ts";
import { type Competitor, startCompetitor } from "./competitor.ts";
import { framesOf } from "./frames-of.ts";
import { BENCH } from "./options.ts";
import type { Sent } from "./surroundings.ts";

const NAMES = [
  "WebSocket transport",
  "Socket.IO transport",
  "plain Socket.IO",
  "bare ws",
  "Mosquitto WebSocket",
] as const;
type Name = (typeof NAMES)[number];
/** ms after which the effects of connecting are over. */
const SETTLE_MS = 3_000;
const SLICE_MS = 10;

interface Runner {
  readonly competitor: Competitor;
  readonly latencies: number[];
  /** Of each round. */
  readonly perCpuSecond: number[];
  readonly usPerReading: number[];
  readonly usPerFrame: number[];
  framesASecond: number;
  frameBytes: number;
}

/** Publish at a steady pace; a late slice publishes what is due by then. */
async function publish(competitor: Competitor, seconds: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  const startedAt = performance.now();
  const wanted = BENCH.busyReadings * seconds;
  while (sent.length < wanted) {
    const due = Math.min(wanted, ((performance.now() - startedAt) / 1_000) * BENCH.busyReadings);
    while (sent.length < due) sent.push(competitor.publish(0, sent.length % BENCH.busySensors));
    await wait(SLICE_MS);
  }
  return sent;
}

async function round(runner: Runner, seconds: number, isMeasured: boolean): Promise<void> {
  const { competitor } = runner;
  const before = await competitor.cpuMs();
  const sent = await publish(competitor, seconds);
  const isRelay = competitor.api !== undefined;
  // The number of the relay's frames is unknown beforehand: wait until no more arrive.
  const { fewest, frames, bytes, bodies } = await competitor.counted(isRelay ? sent.length + 1 : sent.length);
  const cpuMs = (await competitor.cpuMs()) - before;
  if (!isRelay && fewest !== sent.length) throw new Error(`${competitor.name} passed on ${fewest} readings`);
  const frameOf = framesOf(competitor, sent, bodies);
  if (!isMeasured) return;
  const sentAt = sent.map((one) => one.sentAt);
  const { all } = await competitor.loadGenerator.ask({ do: "latencies", sentAt, frames: frameOf }, Latencies);
  for (const ms of all) runner.latencies.push(ms);
  runner.perCpuSecond.push(sent.length / (cpuMs / 1_000));
  runner.usPerReading.push((cpuMs * 1_000) / sent.length);
  runner.usPerFrame.push((cpuMs * 1_000) / frames);
  runner.framesASecond = fewest / seconds;
  runner.frameBytes = bytes;
}

const runners: Runner[] = [];
try {
  const { busyReadings, busySensors, busySessions, busySeconds, busyRounds } = BENCH;
  console.log(machine());
  console.log(
    `${busyReadings} readings/s of ${busySensors} sensors, ${busySessions} sessions, ${busyRounds} rounds of ${busySeconds} s`,
  );
  for (const name of NAMES) {
    const competitor = await startCompetitor(name, { sensors: busySensors });
    runners.push({
      competitor,
      latencies: [],
      perCpuSecond: [],
      usPerReading: [],
      usPerFrame: [],
      framesASecond: 0,
      frameBytes: 0,
    });
    await competitor.connect(busySessions);
  }
  await wait(SETTLE_MS);
  for (const runner of runners) {
    await runner.competitor.counted(1);
    await round(runner, 2, false);
  }
  for (let count = 0; count < busyRounds; count += 1) {
    for (const runner of count % 2 === 0 ? runners : runners.toReversed()) {
      await round(runner, busySeconds, true);
    }
  }
  for (const { competitor, latencies, ...of } of runners) {
    console.log(
      `${competitor.name.padEnd(20)} ${spread(latencies)}  ${Math.round(median(of.perCpuSecond))} readings per CPU second; ` +
        `CPU ${median(of.usPerReading).toFixed(0)} µs a reading, ${median(of.usPerFrame).toFixed(1)} µs a frame; ` +
        `${of.framesASecond.toFixed(1)} frames/s a session of ${Math.round(of.frameBytes)} B`,
    );
  }
  const of = (name: Name): Runner => {
    const found = runners.find(({ competitor }) => competitor.name === name);
    if (!found) throw new Error(`${name} did not take part`);
    return found;
  };
  for (const transport of ["WebSocket transport", "Socket.IO transport"] as const) {
    const mine = median(of(transport).perCpuSecond);
    const times = (other: Name): string => (mine / median(of(other).perCpuSecond)).toFixed(2);
    console.log(
      `${transport.padEnd(20)} readings per CPU second: ${times("plain Socket.IO")} × plain Socket.IO, ` +
        `${times("Mosquitto WebSocket")} × Mosquitto WebSocket, ${times("bare ws")} × bare ws; ` +
        `p99 ${percentile(of(transport).latencies, 0.99).toFixed(0)} ms`,
    );
  }
  console.log(
    "aim: p99 ≤ 200 ms; readings per CPU second ≥ 10 × plain Socket.IO and ≥ 1 × Mosquitto WebSocket",
  );
  console.log(machine());
} finally {
  await Promise.all(runners.map(({ competitor }) => competitor.stop()));
}

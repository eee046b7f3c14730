/**
 * 200 readings a second on one account with 200 sessions: how long each is under way to each session, and what it costs
 * the server. The relay gathers for 100 ms (SUB-6); plain Socket.IO, a bare `ws` server and Mosquitto's own WebSocket
 * listener pass every reading on by itself. All hear the same publications; Mosquitto is the broker on which they come.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine, median, percentile, spread } from "@mulkko/e2e/bench/figures";
import { type Contestant, startContestant } from "./contestant.ts";
import { Latencies } from "./crowd/messages.ts";
import { framesOf } from "./frames-of.ts";
import { BENCH } from "./options.ts";
import type { Sent } from "./surroundings.ts";

const NAMES = ["plain door", "Socket.IO door", "plain Socket.IO", "bare ws", "Mosquitto WebSocket"] as const;
type Name = (typeof NAMES)[number];
/** ms for what connecting sets off to be over. */
const SETTLE_MS = 3_000;
const SLICE_MS = 10;

interface Runner {
  readonly contestant: Contestant;
  readonly latencies: number[];
  /** Of each round. */
  readonly perCpuSecond: number[];
  readonly usPerReading: number[];
  readonly usPerFrame: number[];
  framesASecond: number;
  frameBytes: number;
}

/** Publishes at a steady pace; a slice that comes late brings what is due by then. */
async function publish(contestant: Contestant, seconds: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  const startedAt = performance.now();
  const wanted = BENCH.busyReadings * seconds;
  while (sent.length < wanted) {
    const due = Math.min(wanted, ((performance.now() - startedAt) / 1_000) * BENCH.busyReadings);
    while (sent.length < due) sent.push(contestant.publish(0, sent.length % BENCH.busySensors));
    await wait(SLICE_MS);
  }
  return sent;
}

async function round(runner: Runner, seconds: number, isMeasured: boolean): Promise<void> {
  const { contestant } = runner;
  const before = await contestant.cpuMs();
  const sent = await publish(contestant, seconds);
  const isRelay = contestant.api !== undefined;
  // Nobody knows beforehand how many frames the relay makes of them: until none comes any more.
  const { fewest, frames, bytes, bodies } = await contestant.counted(isRelay ? sent.length + 1 : sent.length);
  const cpuMs = (await contestant.cpuMs()) - before;
  if (!isRelay && fewest !== sent.length) throw new Error(`${contestant.name} passed on ${fewest} readings`);
  const frameOf = framesOf(contestant, sent, bodies);
  if (!isMeasured) return;
  const sentAt = sent.map((one) => one.sentAt);
  const { all } = await contestant.crowd.ask({ do: "latencies", sentAt, frames: frameOf }, Latencies);
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
    const contestant = await startContestant(name, { sensors: busySensors });
    runners.push({
      contestant,
      latencies: [],
      perCpuSecond: [],
      usPerReading: [],
      usPerFrame: [],
      framesASecond: 0,
      frameBytes: 0,
    });
    await contestant.connect(busySessions);
  }
  await wait(SETTLE_MS);
  for (const runner of runners) {
    await runner.contestant.counted(1);
    await round(runner, 2, false);
  }
  for (let count = 0; count < busyRounds; count += 1) {
    for (const runner of count % 2 === 0 ? runners : runners.toReversed()) {
      await round(runner, busySeconds, true);
    }
  }
  for (const { contestant, latencies, ...of } of runners) {
    console.log(
      `${contestant.name.padEnd(20)} ${spread(latencies)}  ${Math.round(median(of.perCpuSecond))} readings per CPU second; ` +
        `CPU ${median(of.usPerReading).toFixed(0)} µs a reading, ${median(of.usPerFrame).toFixed(1)} µs a frame; ` +
        `${of.framesASecond.toFixed(1)} frames/s a session of ${Math.round(of.frameBytes)} B`,
    );
  }
  const of = (name: Name): Runner => {
    const found = runners.find(({ contestant }) => contestant.name === name);
    if (!found) throw new Error(`${name} did not take part`);
    return found;
  };
  for (const door of ["plain door", "Socket.IO door"] as const) {
    const mine = median(of(door).perCpuSecond);
    const times = (other: Name): string => (mine / median(of(other).perCpuSecond)).toFixed(2);
    console.log(
      `${door.padEnd(20)} readings per CPU second: ${times("plain Socket.IO")} × plain Socket.IO, ` +
        `${times("Mosquitto WebSocket")} × Mosquitto WebSocket, ${times("bare ws")} × bare ws; ` +
        `p99 ${percentile(of(door).latencies, 0.99).toFixed(0)} ms`,
    );
  }
  console.log(
    "aim: p99 ≤ 200 ms; readings per CPU second ≥ 10 × plain Socket.IO and ≥ 1 × Mosquitto WebSocket",
  );
  console.log(machine());
} finally {
  await Promise.all(runners.map(({ contestant }) => contestant.stop()));
}

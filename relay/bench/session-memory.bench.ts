/**
 * Measure the relay's memory for a session: idle, from the slope between two numbers of sessions; and slow,
 * with a client that reads nothing while frames arrive. Each measurement follows a garbage collection.
 * Baselines are a bare `ws` server and plain Socket.IO with the same clients. Memory of the kernel is not
 * counted.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine } from "@mulkko/testing/bench/figures";
import { Done as Stopped } from "./clients/messages.ts";
import { type Competitor, startCompetitor } from "./competitor.ts";
import { BENCH } from "./options.ts";
import { Done, type Memory } from "./servers/messages.ts";

const PAIRS = [
  { transport: "WebSocket transport", baseline: "bare ws", idleKiB: 20 },
  { transport: "Socket.IO transport", baseline: "plain Socket.IO", idleKiB: 30 },
] as const;
/** The relay accepts 1,000 sessions of an account. */
const PER_ACCOUNT = 1_000;
const SETTLE_MS = 3_000;
const KIB = 1_024;
/** SLOW-1: KiB that may be unconfirmed of one session. */
const WINDOW_KIB = 64;
/** Sensors whose readings arrive together, so that the frame for the slow sessions is large. */
const SENSORS = 100;
/** SUB-6: ms between two flushes, and a margin. */
const FLUSH_MS = 120;

const kib = (bytes: number): string => (bytes / KIB).toFixed(1).padStart(6);
/** Return the growth of the process and of its JavaScript memory per session. */
function perSession(before: Memory, after: Memory, sessions: number) {
  const held = after.heap + after.buffers - before.heap - before.buffers;
  return { rss: (after.rss - before.rss) / sessions, held: held / sessions };
}
type PerSession = ReturnType<typeof perSession>;

async function idle(name: Competitor["name"]): Promise<PerSession> {
  const { memoryFrom, memoryTo } = BENCH;
  const competitor = await startCompetitor(name, { accounts: Math.ceil(memoryTo / PER_ACCOUNT) });
  try {
    await competitor.connect(memoryFrom);
    await wait(SETTLE_MS);
    const before = await competitor.memory();
    await competitor.connect(memoryTo - memoryFrom);
    await wait(SETTLE_MS);
    return perSession(before, await competitor.memory(), memoryTo - memoryFrom);
  } finally {
    await competitor.stop();
  }
}

/**
 * Measure slow sessions.
 * @returns their memory, and the bytes of one frame
 */
async function slow(name: Competitor["name"], frameBytes: number): Promise<PerSession & { frame: number }> {
  const { slowSessions, slowFrames } = BENCH;
  const competitor = await startCompetitor(name, { sensors: SENSORS });
  const isRelay = competitor.api !== undefined;
  const frames = async (count: number): Promise<void> => {
    if (!isRelay) await competitor.ask({ do: "send", frames: count }, Done);
    for (let n = 0; isRelay && n < count; n += 1) {
      for (let sensor = 0; sensor < SENSORS; sensor += 1) competitor.publish(0, sensor);
      await wait(FLUSH_MS);
    }
  };
  try {
    await competitor.connect(slowSessions);
    await wait(SETTLE_MS);
    if (!isRelay) await competitor.ask({ do: "prepare", bytes: frameBytes }, Done);
    // Send frames that all sessions read before the first measurement, so that the heap has its working size.
    await frames(slowFrames / 2);
    const { bytes } = await competitor.counted(slowFrames / 2);
    const before = await competitor.memory();
    await competitor.loadGenerator.ask({ do: "stop-reading" }, Stopped);
    await frames(slowFrames);
    return { ...perSession(before, await competitor.memory(), slowSessions), frame: Math.round(bytes) };
  } finally {
    await competitor.stop();
  }
}

const line = (label: string, { rss, held }: PerSession): void =>
  console.log(`${label.padEnd(32)} process ${kib(rss)} KiB, of it JavaScript's ${kib(held)} KiB a session`);

const { memoryFrom, memoryTo, slowSessions, slowFrames } = BENCH;
console.log(machine());
console.log(`idle: from ${memoryFrom} to ${memoryTo} sessions; slow: ${slowSessions}, ${slowFrames} frames`);
for (const { transport, baseline, idleKiB } of PAIRS) {
  const [mine, other] = [await idle(transport), await idle(baseline)];
  line(`idle, ${transport}`, mine);
  line(`idle, ${baseline}`, other);
  console.log(
    `ratio ${(mine.rss / other.rss).toFixed(2)} × ${baseline} (process), ${(mine.held / other.held).toFixed(2)} (JavaScript)` +
      `; aim ≤ ${idleKiB} KiB`,
  );
}
for (const { transport, baseline } of PAIRS) {
  const mine = await slow(transport, 0);
  const other = await slow(baseline, mine.frame);
  line(`slow, ${transport}`, mine);
  line(`slow, ${baseline}`, other);
  // Both values are near zero: their ratio would be one of rounding errors.
  console.log(
    `${kib(mine.rss - other.rss)} KiB more than ${baseline} (process); aim ≤ ${WINDOW_KIB} KiB and one frame of ${kib(mine.frame)} KiB`,
  );
}
console.log(machine());

/**
 * What a session costs the relay in memory: idle, from the slope between two numbers of sessions; and slow, when its
 * client reads nothing while frames come. Each after a collection of everything that is garbage. Baselines are a bare
 * `ws` server and plain Socket.IO with the same crowd; what the kernel holds is not counted for anybody.
 */
import { setTimeout as wait } from "node:timers/promises";
import { machine } from "@mulkko/e2e/bench/figures";
import { type Contestant, startContestant } from "./contestant.ts";
import { Done as Stopped } from "./crowd/messages.ts";
import { BENCH } from "./options.ts";
import { Done, type Memory } from "./servers/messages.ts";

const PAIRS = [
  { door: "plain door", baseline: "bare ws", idleKiB: 20 },
  { door: "Socket.IO door", baseline: "plain Socket.IO", idleKiB: 30 },
] as const;
/** The relay takes 1,000 sessions of an account. */
const PER_ACCOUNT = 1_000;
const SETTLE_MS = 3_000;
const KIB = 1_024;
/** SLOW-1: bytes that may be unconfirmed of one session. */
const WINDOW_KIB = 64;
/** Sensors whose readings come together: the frame that the slow do not take is large. */
const SENSORS = 100;
/** SUB-6: ms between two flushes, and a little. */
const FLUSH_MS = 120;

const kib = (bytes: number): string => (bytes / KIB).toFixed(1).padStart(6);
/** Growth of the process, and of what JavaScript holds of it, for each session. */
function perSession(before: Memory, after: Memory, sessions: number) {
  const held = after.heap + after.buffers - before.heap - before.buffers;
  return { rss: (after.rss - before.rss) / sessions, held: held / sessions };
}
type PerSession = ReturnType<typeof perSession>;

async function idle(name: Contestant["name"]): Promise<PerSession> {
  const { memoryFrom, memoryTo } = BENCH;
  const contestant = await startContestant(name, { accounts: Math.ceil(memoryTo / PER_ACCOUNT) });
  try {
    await contestant.connect(memoryFrom);
    await wait(SETTLE_MS);
    const before = await contestant.memory();
    await contestant.connect(memoryTo - memoryFrom);
    await wait(SETTLE_MS);
    return perSession(before, await contestant.memory(), memoryTo - memoryFrom);
  } finally {
    await contestant.stop();
  }
}

/** @returns the bytes of one frame, too */
async function slow(name: Contestant["name"], frameBytes: number): Promise<PerSession & { frame: number }> {
  const { slowSessions, slowFrames } = BENCH;
  const contestant = await startContestant(name, { sensors: SENSORS });
  const isRelay = contestant.api !== undefined;
  const frames = async (count: number): Promise<void> => {
    if (!isRelay) await contestant.ask({ do: "send", frames: count }, Done);
    for (let n = 0; isRelay && n < count; n += 1) {
      for (let sensor = 0; sensor < SENSORS; sensor += 1) contestant.publish(0, sensor);
      await wait(FLUSH_MS);
    }
  };
  try {
    await contestant.connect(slowSessions);
    await wait(SETTLE_MS);
    if (!isRelay) await contestant.ask({ do: "prepare", bytes: frameBytes }, Done);
    // Frames that everybody takes, before the first look: the heap has its working size then.
    await frames(slowFrames / 2);
    const { bytes } = await contestant.counted(slowFrames / 2);
    const before = await contestant.memory();
    await contestant.crowd.ask({ do: "stop-reading" }, Stopped);
    await frames(slowFrames);
    return { ...perSession(before, await contestant.memory(), slowSessions), frame: Math.round(bytes) };
  } finally {
    await contestant.stop();
  }
}

const line = (label: string, { rss, held }: PerSession): void =>
  console.log(`${label.padEnd(32)} process ${kib(rss)} KiB, of it JavaScript's ${kib(held)} KiB a session`);

const { memoryFrom, memoryTo, slowSessions, slowFrames } = BENCH;
console.log(machine());
console.log(`idle: from ${memoryFrom} to ${memoryTo} sessions; slow: ${slowSessions}, ${slowFrames} frames`);
for (const { door, baseline, idleKiB } of PAIRS) {
  const [mine, other] = [await idle(door), await idle(baseline)];
  line(`idle, ${door}`, mine);
  line(`idle, ${baseline}`, other);
  console.log(
    `ratio ${(mine.rss / other.rss).toFixed(2)} × ${baseline} (process), ${(mine.held / other.held).toFixed(2)} (JavaScript)` +
      `; aim ≤ ${idleKiB} KiB`,
  );
}
for (const { door, baseline } of PAIRS) {
  const mine = await slow(door, 0);
  const other = await slow(baseline, mine.frame);
  line(`slow, ${door}`, mine);
  line(`slow, ${baseline}`, other);
  // Next to nothing on both sides: a ratio would be one of two roundings.
  console.log(
    `${kib(mine.rss - other.rss)} KiB more than ${baseline} (process); aim ≤ ${WINDOW_KIB} KiB and one frame of ${kib(mine.frame)} KiB`,
  );
}
console.log(machine());

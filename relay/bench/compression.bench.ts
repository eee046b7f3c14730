/**
 * Measure what compression costs and saves: a list and a log as answers, and the frames of the live stream with
 * `permessage-deflate`, whose state each connection has for itself. The baseline is the same text sent as it is: one
 * frame is then encoded once for all sessions of an account. `pnpm bench compression` (half a minute).
 */
import { brotliCompressSync, constants, createDeflateRaw, type DeflateRaw, gzipSync } from "node:zlib";
import { buildSensor } from "@mulkko/shared/testing/builders";
import { machine, median } from "@mulkko/testing/bench/figures";

const ROUNDS = 30;
const SESSIONS = 500;
const FRAMES = 40;
const KB = 1024;

const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
const row = (label: string, ...cells: readonly string[]): void =>
  console.log([label.padEnd(34), ...cells.map((cell) => cell.padStart(14))].join(""));

/** A list of 40 sensors, and a month of a sensor's rows of five fields. */
const list = JSON.stringify(
  Array.from({ length: 40 }, (_, at) =>
    buildSensor({ id: String(at), serial: 24_110_000 + at, name: `${at}동 베드 토양수분` }),
  ),
);
const log = JSON.stringify(
  Array.from({ length: 4_000 }, (_, at) => ({
    createdDate: new Date(Date.UTC(2026, 10, 1) + at * 600_000).toISOString().slice(0, 19),
    moisture: Math.round(300 + 60 * Math.sin(at / 90)) / 10,
    temperature: Math.round(180 + 70 * Math.sin(at / 72)) / 10,
    ec: Math.round(90 + 20 * Math.sin(at / 300)) / 100,
    battery: 91 - Math.floor(at / 900),
    rssi: -70 - (at % 9),
  })),
);

function measureAnswers(): void {
  row("answer", "as it is, KB", "br, KB", "br, ms CPU", "gzip, KB", "gzip, ms CPU");
  for (const [name, text] of [
    ["list of 40 sensors", list],
    ["log of a month", log],
  ] as const) {
    const br = () => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
    const times = (work: () => unknown) => median(Array.from({ length: ROUNDS }, () => cpuMs(work)));
    const size = Buffer.byteLength(text);
    const ratio = (bytes: number) => `${(bytes / KB).toFixed(1)} (1/${(size / bytes).toFixed(0)})`;
    row(
      name,
      (size / KB).toFixed(1),
      ratio(br().length),
      times(br).toFixed(2),
      ratio(gzipSync(text).length),
      times(() => gzipSync(text)).toFixed(2),
    );
  }
}

const frameAt = (n: number): string =>
  JSON.stringify({
    t: "change",
    stream: "devices",
    from: n,
    offset: n + 1,
    patch: {
      [`sensor:${n % 21}`]: {
        latest: { at: 1_795_900_000_000 + n * 1_000, moisture: 20 + (n % 90) / 10, battery: 91 },
      },
    },
  });

/** Compress a frame with a connection's own state, as `permessage-deflate` does. */
const deflated = (state: DeflateRaw, text: string): Promise<number> =>
  new Promise((resolve) => {
    let bytes = 0;
    const note = (chunk: Buffer) => {
      bytes += chunk.length;
    };
    state.on("data", note);
    state.write(text);
    state.flush(constants.Z_SYNC_FLUSH, () => {
      state.off("data", note);
      resolve(bytes);
    });
  });

async function measureStream(): Promise<void> {
  const frames = Array.from({ length: FRAMES }, (_, at) => frameAt(at));
  const plain = frames.reduce((sum, frame) => sum + Buffer.byteLength(frame), 0) / FRAMES;
  const baseline = cpuMs(() => frames.map((frame) => Buffer.from(frame))) / FRAMES;
  const memoryBefore = process.memoryUsage.rss();
  const states = Array.from({ length: SESSIONS }, () =>
    createDeflateRaw({ level: 1, memLevel: 7, windowBits: 13 }),
  );
  const before = process.cpuUsage();
  let bytes = 0;
  for (const frame of frames)
    for (const size of await Promise.all(states.map((state) => deflated(state, frame)))) bytes += size;
  const { user, system } = process.cpuUsage(before);
  const each = (user + system) / 1_000 / FRAMES;
  const memory = (process.memoryUsage.rss() - memoryBefore) / SESSIONS / KB;
  console.log(`\none change to ${SESSIONS} sessions of an account`);
  row("", "bytes a frame", "ms CPU", "KB a session");
  row("as it is, encoded once", plain.toFixed(0), baseline.toFixed(3), "0");
  row("permessage-deflate", (bytes / FRAMES / SESSIONS).toFixed(0), each.toFixed(1), memory.toFixed(0));
  console.log(
    `ratio to the baseline: ${(each / baseline).toFixed(0)} times the CPU, 1/${(plain / (bytes / FRAMES / SESSIONS)).toFixed(1)} of the bytes`,
  );
  for (const state of states) state.destroy();
}

console.log(machine());
measureAnswers();
await measureStream();

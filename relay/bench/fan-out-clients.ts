import { setTimeout as wait } from "node:timers/promises";
import { relayPath } from "@mulkko/shared/rest/routes";
import { machineMs, percentile } from "@mulkko/testing/bench/figures";
import { WebSocket } from "ws";
import { answerParent } from "./child.ts";
import { ClientQuestion } from "./fan-out-messages.ts";

const CONNECT_AT_ONCE = 50;
const CHANGE = Buffer.from('{"t":"change"');
/** ms without a frame after which no more are expected. */
const SILENCE_MS = 1_000;

/** Arrival times of each session's frames; the n-th belongs to the n-th tick. */
const sessions: number[][] = [];
let counted: number[][] = [];
let frames = 0;
let lastAt = 0;
let whenFrames: { wanted: number; reached: () => void } | undefined;

function record(arrivals: number[]): void {
  lastAt = machineMs();
  arrivals.push(lastAt);
  frames += 1;
  if (whenFrames && frames >= whenFrames.wanted) whenFrames.reached();
}

/** Connect, resolve when up to date, and count `change` frames from then on. */
async function connect(port: number): Promise<void> {
  const arrivals: number[] = [];
  const place = sessions.push(arrivals) - 1;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${relayPath.webSocket}`, { perMessageDeflate: false });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on("error", reject);
  socket.on("close", () => console.error("a session of the benchmark was closed"));
  socket.on("open", () => {
    if (process.argv[2] === "bare") {
      resolve();
      return;
    }
    socket.send(JSON.stringify({ t: "hello", protocol: 1, token: "bench" }));
    socket.send(JSON.stringify({ t: "subscribe", stream: "devices" }));
  });
  socket.on("message", (data) => {
    if (!Buffer.isBuffer(data)) return;
    if (data.subarray(0, CHANGE.length).equals(CHANGE)) record(sessions[place] ?? arrivals);
    else if (data.includes('"t":"snapshot"')) resolve();
  });
  await promise;
}

/** Resolve when a total number of frames has arrived, or none for a while. */
async function arrived(wanted: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  whenFrames = { wanted, reached: resolve };
  if (frames >= wanted) resolve();
  const quiet = new AbortController();
  const silence = async (): Promise<void> => {
    for (let seen = -1; frames !== seen; await wait(SILENCE_MS, undefined, { signal: quiet.signal })) {
      seen = frames;
    }
  };
  await Promise.race([promise, silence()]);
  whenFrames = undefined;
  quiet.abort();
}

answerParent(ClientQuestion, async (question) => {
  switch (question.do) {
    case "connect": {
      for (let count = 0; count < question.sessions; count += CONNECT_AT_ONCE) {
        const some = Math.min(CONNECT_AT_ONCE, question.sessions - count);
        await Promise.all(Array.from({ length: some }, () => connect(question.port)));
      }
      return { connected: question.sessions };
    }
    case "await": {
      await arrived(question.ticks * sessions.length);
      const answer = { frames, lastAt };
      counted = sessions.map((arrivals) => arrivals.splice(0));
      frames = 0;
      return answer;
    }
    case "latencies": {
      const all = counted.flatMap((arrivals) =>
        arrivals.map((at, tick) => at - (question.sentAt[tick] ?? Number.NaN)),
      );
      return { p50: percentile(all, 0.5), p99: percentile(all, 0.99), max: percentile(all, 1) };
    }
  }
});

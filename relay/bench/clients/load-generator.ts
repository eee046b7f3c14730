import { connect as connectSocket, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { machineMs } from "@mulkko/testing/bench/figures";
import { answerParent } from "../child.ts";
import { clientFrame, createFrameReader } from "./frames.ts";
import { LoadRequest } from "./messages.ts";
import { isProtocol, PROTOCOLS, type ProtocolClient } from "./protocols.ts";

/**
 * Thousands of clients in one process, on bare sockets with the least WebSocket code they need: they count
 * frames and record times.
 */

/** Sessions of one address: the relay accepts 500 of each. */
const PER_ADDRESS = 400;
/** ms without a frame after which no more are expected. */
const SILENCE_MS = 1_000;
const KEY = Buffer.alloc(16).toString("base64");
const END_OF_HEAD = "\r\n\r\n";

interface Client extends ProtocolClient {
  /** Times at which its frames arrived. */
  arrivals: number[];
  socket: Socket | undefined;
}

const [, , name] = process.argv;
if (!isProtocol(name)) throw new Error(`the load generator does not support ${name}`);
const wireProtocol = PROTOCOLS[name];

const clients: Client[] = [];
let counted: number[][] = [];
let bodies: string[] = [];
let frames = 0;
let bytes = 0;
let lastAt = 0;
let isLeaving = false;
let lost = 0;
let resumed = 0;
let whenFrames: { wanted: number; reached: () => void } | undefined;

const addressOf = (index: number): string => {
  const group = Math.floor(index / PER_ADDRESS) + 2;
  return `127.0.${group >> 8}.${group & 0xff}`;
};

function createClient(account: number): Client {
  const isFirst = clients.length === 0;
  const client: Client = {
    token: `token-${account}`,
    position: undefined,
    arrivals: [],
    socket: undefined,
    say: (opcode, payload) => void client.socket?.write(clientFrame(opcode, payload)),
    ready: () => undefined,
    received(body) {
      lastAt = machineMs();
      client.arrivals.push(lastAt);
      frames += 1;
      bytes += body.length;
      if (isFirst) bodies.push(body.toString());
      if (whenFrames && frames >= whenFrames.wanted) whenFrames.reached();
    },
  };
  return client;
}

/** Open a client; resolve when it is up to date, with the ms it took. */
async function open(client: Client, index: number, port: number): Promise<number> {
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connectSocket({ host: "127.0.0.1", port, localAddress: addressOf(index) });
  const read = createFrameReader((opcode, payload) => wireProtocol.handle(client, opcode, payload));
  let head = "";
  let isUpgraded = false;
  client.socket = socket;
  client.ready = (how) => {
    if (how) resumed += 1;
    resolve();
  };
  socket.setNoDelay(true);
  socket.on("connect", () => {
    const protocol = wireProtocol.subprotocol
      ? `Sec-WebSocket-Protocol: ${wireProtocol.subprotocol}\r\n`
      : "";
    socket.write(
      `GET ${wireProtocol.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n${protocol}\r\n`,
    );
  });
  socket.on("data", (chunk) => {
    if (isUpgraded) return read(chunk);
    head += chunk.toString("latin1");
    const end = head.indexOf(END_OF_HEAD);
    if (end < 0) return;
    if (!head.startsWith("HTTP/1.1 101")) return reject(new Error(`not let in: ${head}`));
    isUpgraded = true;
    wireProtocol.opened(client);
    const rest = Buffer.from(head.slice(end + END_OF_HEAD.length), "latin1");
    head = "";
    if (rest.length > 0) read(rest);
  });
  socket.on("error", reject);
  socket.on("close", () => {
    client.socket = undefined;
    if (!isLeaving && lost++ === 0) console.error("a session of the benchmark was closed");
    reject(new Error("closed"));
  });
  await promise;
  return performance.now() - startedAt;
}

/** Open clients from the given index on, a limited number at a time. */
async function openFrom(first: number, portOf: (index: number) => number, atOnce: number) {
  const startedAt = performance.now();
  let slowestMs = 0;
  resumed = 0;
  let next = first;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < clients.length; index = next++) {
      const client = clients[index];
      if (client) slowestMs = Math.max(slowestMs, await open(client, index, portOf(index)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { connected: clients.length - first, ms: performance.now() - startedAt, slowestMs, resumed };
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
  await Promise.race([promise, silence().catch(() => undefined)]);
  whenFrames = undefined;
  quiet.abort();
}

function takeCounted() {
  counted = clients.map(({ arrivals }) => arrivals);
  for (const client of clients) client.arrivals = [];
  const counts = counted.map(({ length }) => length);
  const answer = {
    frames,
    fewest: counts.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER),
    most: counts.reduce((a, b) => Math.max(a, b), 0),
    bytes: frames === 0 ? 0 : bytes / frames,
    lastAt,
    bodies,
  };
  frames = 0;
  bytes = 0;
  bodies = [];
  return answer;
}

function latencies(sentAt: readonly number[], frameOf: readonly number[]) {
  const all: number[] = [];
  const last = sentAt.map((sent, index) => {
    let longest = 0;
    for (const arrivals of counted) {
      const ms = (arrivals[frameOf[index] ?? -1] ?? Number.NaN) - sent;
      all.push(ms);
      longest = Math.max(longest, ms);
    }
    return longest;
  });
  return { all, last };
}

answerParent(LoadRequest, async (question) => {
  switch (question.do) {
    case "connect": {
      const first = clients.length;
      for (let n = first; n < first + question.sessions; n += 1) {
        clients.push(createClient(n % question.accounts));
      }
      isLeaving = false;
      return openFrom(first, () => question.port, question.atOnce);
    }
    case "drop": {
      isLeaving = true;
      for (const { socket } of clients) socket?.destroy();
      while (clients.some(({ socket }) => socket !== undefined)) await wait(10);
      return {};
    }
    case "return": {
      isLeaving = false;
      const { ports, atOnce } = question;
      return openFrom(0, (index) => ports[index % ports.length] ?? 0, atOnce);
    }
    case "stop-reading":
      for (const { socket } of clients) socket?.pause();
      return {};
    case "await":
      await arrived(question.frames * clients.length);
      return takeCounted();
    case "latencies":
      return latencies(question.sentAt, question.frames);
  }
});

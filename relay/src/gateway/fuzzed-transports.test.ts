import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MARKER_EVENT } from "@mulkko/shared/live/marker";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { fuzzing } from "../../testing/fuzz.ts";
import {
  anyFrameWith,
  anyMessageWith,
  FOREIGN_KEYS,
  MY_KEYS,
  type RawFrame,
  TOKENS,
} from "../../testing/gateway/any-frame.ts";
import { type GatewayHarness, startGatewayHarness } from "../../testing/gateway-harness.ts";
import { connectSocketIo, connectWebSocket, type LiveClient } from "../../testing/live-client.ts";

const STORIES = 100;
/** Bytes of heap growth allowed after some hundred hostile connections: noise of the collector. */
const HEAP_NOISE = 16 * 1024 * 1024;
/** Content of account `a`, which the attackers, as account `b` or without one, must never see. */
const SECRET = "a-secret-of-account-a";
/**
 * Codes of docs/dev/protocol.md, and those of RFC 6455 that the WebSocket library uses for invalid frames.
 * 1005 and 1006: an end without a code, as Socket.IO does it.
 */
const DOCUMENTED = new Set([4400, 4401, 4505, 1009, 1002, 1003, 1007, 1005, 1006]);
const ATTACKERS = fc.constantFrom<string>(TOKENS.foreign, TOKENS.foreign, "nobody's");

interface Transport {
  readonly name: string;
  readonly path: string;
  /** Return a frame of the protocol in this transport's encoding. */
  spell(frame: RawFrame): string | Uint8Array;
  /** The opening text, and the beginning of its answer; null if the transport needs none. */
  readonly handshake: readonly [says: string, answer: string] | null;
}

const nameOf = (text: string): string => /"t":("[^"]*")/.exec(text)?.[1] ?? '"message"';
const TRANSPORTS: readonly Transport[] = [
  {
    name: "plain",
    path: "/live",
    spell: (frame) => ("text" in frame ? frame.text : frame.bytes),
    handshake: null,
  },
  {
    name: "Socket.IO",
    path: "/socket.io/?EIO=4&transport=websocket",
    // Text is the argument of an event; bytes are a packet of any type.
    spell: (frame) =>
      "text" in frame
        ? `42[${nameOf(frame.text)},${frame.text}]`
        : `4${Buffer.from(frame.bytes).toString("latin1")}`,
    handshake: ["40", "40"],
  },
];
/** More bad messages than any session accepts; the first hello may be valid. */
const HELLOS = 12;

const collect = (): number => {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc();
  return process.memoryUsage().heapUsed;
};

describe.each(TRANSPORTS)("the $name transport under generated frames", (transport) => {
  let harness: GatewayHarness;
  let bystanders: LiveClient[];
  let changes: number;

  beforeEach(async () => {
    // Without a message window the rate limit does not end a scenario after 20 messages.
    harness = await startGatewayHarness({ messageWindowMs: 0 });
    harness.farm.grant(TOKENS.mine, "a");
    harness.farm.grant(TOKENS.foreign, "b");
    harness.farm.account("a").change({ [MY_KEYS[0]]: { n: 0, secret: SECRET } });
    harness.farm.account("b").change({ [FOREIGN_KEYS[0]]: { n: 0 } });
    changes = 0;
    bystanders = await Promise.all(
      [connectWebSocket, connectSocketIo].map(async (connect) => {
        const client = await connect(harness.origin);
        client.say({ t: "hello", protocol: 1, token: TOKENS.mine });
        client.say({ t: "subscribe", stream: "devices" });
        await client.next("snapshot");
        return client;
      }),
    );
  });
  afterEach(() => harness.app.close());

  /**
   * Play one hostile connection. It ends with repeated hellos until it is closed, which proves that it was
   * still handled before.
   * @returns all messages received, and the code of its end: of `bye` if there was one, else the connection's
   */
  async function attack(scenario: readonly RawFrame[]): Promise<{ received: string; code: number }> {
    const socket = new WebSocket(`${harness.origin.replace("http", "ws")}${transport.path}`);
    const { promise: closed, resolve: end } = Promise.withResolvers<number>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    let received = "";
    socket.on("open", () => (transport.handshake ? socket.send(transport.handshake[0]) : enter()));
    socket.on("message", (data) => {
      received += data.toString();
      if (transport.handshake && data.toString().startsWith(transport.handshake[1])) enter();
    });
    socket.on("close", end);
    socket.on("error", () => socket.terminate());
    await entered;
    const hello = { text: JSON.stringify({ t: "hello", protocol: 1, token: TOKENS.foreign }) };
    for (const frame of [...scenario, ...Array.from({ length: HELLOS }, () => hello)]) {
      if (socket.readyState !== socket.OPEN) break;
      socket.send(transport.spell(frame));
      changes += 1;
      harness.farm.account("a").change({ [MY_KEYS[0]]: { n: changes, secret: SECRET } });
      harness.farm.account("b").change({ [FOREIGN_KEYS[0]]: { n: changes } });
    }
    const code = await closed;
    const bye = /"t":"bye","code":(\d+)/.exec(received)?.[1];
    return { received, code: bye === undefined ? code : Number(bye) };
  }

  /** Expect that all other clients got their frames completely and in order, and that no session is left. */
  async function expectPeace(): Promise<void> {
    for (const bystander of bystanders) {
      const offsets = (): number[] =>
        bystander.received.flatMap((message) => (message.t === "change" ? [message.offset] : []));
      await expect.poll(() => offsets().at(-1) ?? 1).toBe(changes + 1);
      const from = bystander.received.flatMap((message) => (message.t === "change" ? [message.from] : []));
      expect(from.slice(1)).toEqual(offsets().slice(0, -1));
      expect(bystander.received.filter(({ t }) => t === "error" || t === "bye")).toEqual([]);
    }
    await expect.poll(() => harness.farm.account("b").viewers).toBe(0);
    expect(harness.farm.account("a").viewers).toBe(bystanders.length);
    const transports = (["websocket", "socketio"] as const).map((name) => harness.metrics.tally(name));
    await expect.poll(() => transports.map(({ sessions }) => sessions)).toEqual([1, 1]);
    // One timer for each remaining session, and the one that proves their tokens again (AUTH-5).
    expect(harness.timers.pending).toBe(bystanders.length + 1);
  }

  const lengths = { minLength: 1, maxLength: 40, size: "max" } as const;
  const scenario = fc.oneof(
    fc.array(anyFrameWith(ATTACKERS), lengths),
    // Invalid JSON ends a Socket.IO connection at once; these frames get further.
    fc.array(
      anyMessageWith(ATTACKERS).map((message) => ({ text: JSON.stringify(message) ?? "null" })),
      lengths,
    ),
  );

  it("[HS-5] disturbs no client, discloses nothing of another account, and ends with documented codes only", async () => {
    const codes = new Set<number>();
    let welcomed = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async (frames) => {
        const { received, code } = await attack(frames);
        expect(received).not.toContain(SECRET);
        for (const key of MY_KEYS) expect(received).not.toContain(key);
        expect(DOCUMENTED).toContain(code);
        codes.add(code);
        if (received.includes("welcome")) welcomed += 1;
      }),
      fuzzing(STORIES),
    );
    // A fuzz that never gets in proves nothing.
    expect(welcomed).toBeGreaterThan(0);
    expect(codes).toContain(4400);
    await expectPeace();
  });

  it("[HS-5] hostile connections leave no memory behind", async () => {
    const stories = fc.sample(scenario, fuzzing(STORIES));
    const round = async (): Promise<number> => {
      for (const frames of stories) await attack(frames);
      await expectPeace();
      return collect();
    };
    const first = await round();
    expect((await round()) - first).toBeLessThan(HEAP_NOISE);
  });

  it("[HS-5] markers never sent, and the relay's own event names, are not accepted as messages", async () => {
    const frames = [MARKER_EVENT, "welcome", "bye", "snapshot", "connect", "__proto__"].map((t) => ({
      text: JSON.stringify({ t }),
    }));
    const { code } = await attack([...frames, ...frames]);
    expect(DOCUMENTED).toContain(code);
    await expectPeace();
  });
});

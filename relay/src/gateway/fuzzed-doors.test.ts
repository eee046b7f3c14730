import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MARKER_EVENT } from "@mulkko/shared/live/marker";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { fuzzing } from "../testing/fuzz.ts";
import { type GatewayRig, startGatewayRig } from "../testing/gateway-rig.ts";
import { connectSocketIo, connectWebSocket, type LiveClient } from "../testing/live-client.ts";
import {
  anyFrameWith,
  anyMessageWith,
  FOREIGN_KEYS,
  MY_KEYS,
  type RawFrame,
  TOKENS,
} from "./testing/any-frame.ts";

const STORIES = 100;
/** Bytes by which the heap may stand higher after some hundred hostile connections: noise of the collector. */
const HEAP_NOISE = 16 * 1024 * 1024;
/** What account `a` has and the attackers, who are account `b` or nobody, must never see. */
const SECRET = "a-secret-of-account-a";
/**
 * Codes of PROTOCOL.md, and those of RFC 6455 that the WebSocket library says of frames it cannot take. 1005 and
 * 1006: an end without a code, as Socket.IO does it.
 */
const DOCUMENTED = new Set([4400, 4401, 4505, 1009, 1002, 1003, 1007, 1005, 1006]);
const ATTACKERS = fc.constantFrom<string>(TOKENS.foreign, TOKENS.foreign, "nobody's");

interface Door {
  readonly name: string;
  readonly path: string;
  /** How a frame of the protocol is spelt at this door. */
  spell(frame: RawFrame): string | Uint8Array;
  /** What is said first, and how the answer to it begins; null where the door is open at once. */
  readonly greeting: readonly [says: string, answer: string] | null;
}

const nameOf = (text: string): string => /"t":("[^"]*")/.exec(text)?.[1] ?? '"message"';
const DOORS: readonly Door[] = [
  {
    name: "plain",
    path: "/live",
    spell: (frame) => ("text" in frame ? frame.text : frame.bytes),
    greeting: null,
  },
  {
    name: "Socket.IO",
    path: "/socket.io/?EIO=4&transport=websocket",
    // Text is the argument of an event; bytes are a packet, of whatever kind they say.
    spell: (frame) =>
      "text" in frame
        ? `42[${nameOf(frame.text)},${frame.text}]`
        : `4${Buffer.from(frame.bytes).toString("latin1")}`,
    greeting: ["40", "40"],
  },
];
/** More bad messages than any session bears; the first of them may be the one that lets it in. */
const HELLOS = 12;

const collect = (): number => {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc();
  return process.memoryUsage().heapUsed;
};

describe.each(DOORS)("the $name door under generated frames", (door) => {
  let rig: GatewayRig;
  let bystanders: LiveClient[];
  let changes: number;

  beforeEach(async () => {
    // Without a window each frame counts for itself, so that a story is not over after 20 of them.
    rig = await startGatewayRig({ messageWindowMs: 0 });
    rig.farm.grant(TOKENS.mine, "a");
    rig.farm.grant(TOKENS.foreign, "b");
    rig.farm.account("a").change({ [MY_KEYS[0]]: { n: 0, secret: SECRET } });
    rig.farm.account("b").change({ [FOREIGN_KEYS[0]]: { n: 0 } });
    changes = 0;
    bystanders = await Promise.all(
      [connectWebSocket, connectSocketIo].map(async (connect) => {
        const client = await connect(rig.origin);
        client.say({ t: "hello", protocol: 1, token: TOKENS.mine });
        client.say({ t: "subscribe", stream: "devices" });
        await client.next("snapshot");
        return client;
      }),
    );
  });
  afterEach(() => rig.app.close());

  /**
   * One hostile connection, which ends by saying hello until it is thrown out: whoever was not thrown out before is
   * still heard.
   *
   * @returns all that it heard, and the code of its end: of `bye` where there was one, else the connection's
   */
  async function attack(story: readonly RawFrame[]): Promise<{ heard: string; code: number }> {
    const socket = new WebSocket(`${rig.origin.replace("http", "ws")}${door.path}`);
    const { promise: closed, resolve: end } = Promise.withResolvers<number>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    let heard = "";
    socket.on("open", () => (door.greeting ? socket.send(door.greeting[0]) : enter()));
    socket.on("message", (data) => {
      heard += data.toString();
      if (door.greeting && data.toString().startsWith(door.greeting[1])) enter();
    });
    socket.on("close", end);
    socket.on("error", () => socket.terminate());
    await entered;
    const hello = { text: JSON.stringify({ t: "hello", protocol: 1, token: TOKENS.foreign }) };
    for (const frame of [...story, ...Array.from({ length: HELLOS }, () => hello)]) {
      if (socket.readyState !== socket.OPEN) break;
      socket.send(door.spell(frame));
      changes += 1;
      rig.farm.account("a").change({ [MY_KEYS[0]]: { n: changes, secret: SECRET } });
      rig.farm.account("b").change({ [FOREIGN_KEYS[0]]: { n: changes } });
    }
    const code = await closed;
    const bye = /"t":"bye","code":(\d+)/.exec(heard)?.[1];
    return { heard, code: bye === undefined ? code : Number(bye) };
  }

  /** Everybody else's frames came whole and in order, and nobody is left over. */
  async function expectPeace(): Promise<void> {
    for (const bystander of bystanders) {
      const offsets = (): number[] =>
        bystander.received.flatMap((message) => (message.t === "change" ? [message.offset] : []));
      await expect.poll(() => offsets().at(-1) ?? 1).toBe(changes + 1);
      const from = bystander.received.flatMap((message) => (message.t === "change" ? [message.from] : []));
      expect(from.slice(1)).toEqual(offsets().slice(0, -1));
      expect(bystander.received.filter(({ t }) => t === "error" || t === "bye")).toEqual([]);
    }
    await expect.poll(() => rig.farm.account("b").viewers).toBe(0);
    expect(rig.farm.account("a").viewers).toBe(bystanders.length);
    const doors = (["websocket", "socketio"] as const).map((name) => rig.metrics.tally(name));
    await expect.poll(() => doors.map(({ sessions }) => sessions)).toEqual([1, 1]);
    // One timer for each who is still there.
    expect(rig.timers.pending).toBe(bystanders.length);
  }

  const lengths = { minLength: 1, maxLength: 40, size: "max" } as const;
  const story = fc.oneof(
    fc.array(anyFrameWith(ATTACKERS), lengths),
    // What is no JSON ends a connection at the Socket.IO door at once; these come further.
    fc.array(
      anyMessageWith(ATTACKERS).map((message) => ({ text: JSON.stringify(message) ?? "null" })),
      lengths,
    ),
  );

  it("[HS-5] nobody is disturbed, nothing of another account is told, and every end has a code that is known", async () => {
    const codes = new Set<number>();
    let welcomed = 0;
    await fc.assert(
      fc.asyncProperty(story, async (frames) => {
        const { heard, code } = await attack(frames);
        expect(heard).not.toContain(SECRET);
        for (const key of MY_KEYS) expect(heard).not.toContain(key);
        expect(DOCUMENTED).toContain(code);
        codes.add(code);
        if (heard.includes("welcome")) welcomed += 1;
      }),
      fuzzing(STORIES),
    );
    // A fuzz that never gets in proves nothing.
    expect(welcomed).toBeGreaterThan(0);
    expect(codes).toContain(4400);
    await expectPeace();
  });

  it("[HS-5] hostile connections leave no memory behind", async () => {
    const stories = fc.sample(story, fuzzing(STORIES));
    const round = async (): Promise<number> => {
      for (const frames of stories) await attack(frames);
      await expectPeace();
      return collect();
    };
    const first = await round();
    expect((await round()) - first).toBeLessThan(HEAP_NOISE);
  });

  it("[HS-5] markers that nobody sent, and names that are the relay's own, are no messages", async () => {
    const frames = [MARKER_EVENT, "welcome", "bye", "snapshot", "connect", "__proto__"].map((t) => ({
      text: JSON.stringify({ t }),
    }));
    const { code } = await attack([...frames, ...frames]);
    expect(DOCUMENTED).toContain(code);
    await expectPeace();
  });
});

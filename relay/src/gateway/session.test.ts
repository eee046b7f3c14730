import { applyChange, applySnapshotPart, type StateCopy } from "@mulkko/shared/live/apply-change";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, it } from "vitest";
import { createSessionHarness, sentMessage } from "../../testing/gateway/session-harness.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { stateOf } from "../store/streams.ts";
import type { TransportConnection } from "./connection.ts";

/** Create a connection that records what is sent. */
function createFakeConnection() {
  const sent: ServerMessage[] = [];
  const markers: number[] = [];
  let bytes = 0;
  let held = 0;
  const wire = {
    transport: "websocket" as const,
    bufferedAmount: () => held,
    ended: "open" as "open" | "closed" | "cut",
    send(message: { bytes: Buffer }) {
      sent.push(sentMessage(message));
      bytes += message.bytes.length;
    },
    mark: (marker: number) => void markers.push(marker),
    close() {
      wire.ended = "closed";
    },
    terminate() {
      wire.ended = "cut";
    },
  } satisfies TransportConnection & { ended: string };
  return {
    wire,
    sent,
    markers,
    bytes: () => bytes,
    hold: (amount: number) => {
      held = amount;
    },
  };
}

function createHarness() {
  const { open, ...harness } = createSessionHarness();
  const { farm } = harness;
  farm.grant("token-a", "a", 24 * 3_600_000);

  async function enter(...messages: unknown[]) {
    const fake = createFakeConnection();
    const session = open(fake.wire);
    session.receive({ t: "hello", protocol: 1, token: "token-a" });
    for (const message of messages) session.receive(message);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return { session, ...fake };
  }
  return { ...harness, account: farm.account("a"), enter };
}

const TEXT = "물".repeat(200);

describe("session", () => {
  it("[POLL-1] is active when it subscribes and when it sends active, not by markers and tokens", async () => {
    const harness = createHarness();
    const { session, markers, sent } = await harness.enter({ t: "subscribe", stream: "devices" });
    expect(sent[0]).toMatchObject({ t: "welcome", activeEveryMs: 60_000 });
    expect(harness.account.activities).toBe(1);
    harness.timers.advance(25_000);
    session.confirmed(markers.at(-1) ?? 0);
    session.receive({ t: "auth", token: "token-a" });
    expect(harness.account.activities).toBe(1);
    session.receive({ t: "active" });
    expect(harness.account.activities).toBe(2);
    expect(sent.map(({ t }) => t)).not.toContain("error");
  });

  it("[AUTH-4] proven again: a revoked token ends it with 4503, a disabled account with 4504, an outage does not", async () => {
    const harness = createHarness();
    const ended = async (refuse: "rejected" | "disabled" | "upstream-down") => {
      harness.farm.grant("token-a", "a");
      const { session, sent, wire } = await harness.enter({ t: "subscribe", stream: "devices" });
      await session.prove(true);
      expect(wire.ended).toBe("open");
      harness.farm.revoke("token-a");
      harness.farm.refuse(refuse);
      await session.prove(true);
      const last = sent.at(-1);
      return last?.t === "bye" ? last.code : wire.ended;
    };
    expect(await ended("rejected")).toBe(4503);
    expect(await ended("disabled")).toBe(4504);
    expect(await ended("upstream-down")).toBe("open");
  });

  it("[AUTH-4] an account that cannot be read ends it temporarily, and names what is away", async () => {
    const harness = createHarness();
    const said = async () => (await harness.enter()).sent.slice(-2);
    harness.farm.breakViews();
    expect(await said()).toMatchObject([{ t: "error", code: "upstream-down" }, { code: 4002 }]);
    harness.farm.breakViews(new StoreUnavailableError("away"));
    expect(await said()).toMatchObject([{ t: "error", code: "store-down" }, { code: 4002 }]);
  });

  it("[LIVE-1] sends a marker every 25 s; a client that returns it stays, a silent one is cut at 50 s", async () => {
    const harness = createHarness();
    const { session, markers, wire } = await harness.enter();
    for (let round = 1; round <= 10; round += 1) {
      harness.timers.advance(25_000);
      expect(markers).toHaveLength(round);
      session.confirmed(markers.at(-1) ?? 0);
    }
    harness.timers.advance(49_999);
    expect(wire.ended).toBe("open");
    harness.timers.advance(1);
    expect(wire.ended).toBe("cut");
  });

  it("[LIVE-1] sends a beat only after 15 s without other messages", async () => {
    const harness = createHarness();
    const { sent, session, markers } = await harness.enter({ t: "subscribe", stream: "devices" });
    for (let second = 0; second < 60; second += 1) {
      harness.timers.advance(1_000);
      harness.account.change({ "sensor:1": { second } });
      for (const marker of markers) session.confirmed(marker);
    }
    expect(sent.filter(({ t }) => t === "beat")).toEqual([]);
    harness.timers.advance(15_000);
    expect(sent.at(-1)?.t).toBe("beat");
  });

  it("[LIVE-1] answers each ask with a beat of its number, which makes no account active", async () => {
    const harness = createHarness();
    const { session, sent } = await harness.enter({ t: "subscribe", stream: "devices" });
    expect(sent[0]).toMatchObject({ t: "welcome", askEveryMs: 4_000 });
    session.receive({ t: "ask", n: 7 });
    session.receive({ t: "ask", n: 8 });
    expect(sent.slice(-2)).toMatchObject([
      { t: "beat", n: 7 },
      { t: "beat", n: 8 },
    ]);
    expect(harness.account.activities).toBe(1);
  });

  it("[SLOW-1] marks every 32 KiB of a fast session", async () => {
    const harness = createHarness();
    const { session, markers, bytes } = await harness.enter({ t: "subscribe", stream: "devices" });
    for (let count = 0; count < 1_000; count += 1) {
      harness.account.change({ "sensor:1": { count, text: `${TEXT}${count}` } });
      session.confirmed(markers.at(-1) ?? 0);
    }
    expect(markers.length).toBeGreaterThanOrEqual(Math.floor(bytes() / (33 * 1024)));
    expect(markers.length).toBeLessThanOrEqual(Math.ceil(bytes() / (32 * 1024)));
  });

  it("[SLOW-1] holds back while this process still buffers 64 KiB, even if confirmed", async () => {
    const harness = createHarness();
    const { session, markers, hold, sent } = await harness.enter({ t: "subscribe", stream: "devices" });
    hold(64 * 1024);
    harness.account.change({ "sensor:1": { count: 1 } });
    harness.account.change({ "sensor:1": { count: 2 } });
    expect(sent.some(({ t }) => t === "change")).toBe(false);
    expect(harness.metrics.tally("websocket").slow).toBe(1);
    hold(0);
    session.confirmed(markers.at(-1) ?? 0);
    expect(sent.at(-1)).toMatchObject({ t: "change", from: 0, offset: 2, set: { "sensor:1": { count: 2 } } });
    expect(harness.metrics.tally("websocket").slow).toBe(0);
  });

  it("[SLOW-2] a session without unconfirmed bytes is never too slow", async () => {
    const harness = createHarness();
    const { session, markers, sent } = await harness.enter();
    for (let round = 0; round < 10; round += 1) {
      harness.timers.advance(24_000);
      session.noteActivity();
      for (const marker of markers) session.confirmed(marker);
    }
    expect(sent.some(({ t }) => t === "bye")).toBe(false);
  });

  it("[SLOW-2] ends a session that sends messages but confirms nothing", async () => {
    const harness = createHarness();
    const { session, sent, wire } = await harness.enter();
    for (let second = 0; second < 90; second += 10) {
      harness.timers.advance(10_000);
      session.noteActivity();
    }
    expect([sent.at(-1), wire.ended]).toMatchObject([{ t: "bye", code: 4008 }, "cut"]);
  });

  it("[SUB-2] a disconnect while the account is read leaves nothing behind", async () => {
    const harness = createHarness();
    const fake = await harness.enter();
    fake.session.closed();
    const { wire } = createFakeConnection();
    expect(harness.account.viewers).toBe(0);
    expect([harness.registry.sessions.size, harness.timers.pending, wire.ended]).toEqual([0, 0, "open"]);
  });

  it("[gateway] sends nothing after bye, and cuts a peer that stays", async () => {
    const harness = createHarness();
    const { session, sent, wire } = await harness.enter({ t: "subscribe", stream: "devices" });
    for (let count = 0; count < 10; count += 1) session.receive({ t: "nonsense" });
    expect([sent.at(-1), wire.ended]).toMatchObject([{ t: "bye", code: 4400 }, "closed"]);
    const before = sent.length;
    harness.account.change({ "sensor:1": { count: 1 } });
    session.receive({ t: "subscribe", stream: "devices" });
    harness.timers.advance(5_000);
    expect([sent.length, wire.ended]).toEqual([before, "cut"]);
    session.closed();
    expect([harness.account.viewers, harness.timers.pending]).toEqual([0, 0]);
  });

  describe("[SUB-3] a client that applies all messages reaches the stream's state", () => {
    it.each(Array.from({ length: 60 }, (_, index) => index + 1))("seed %i", async (seed) => {
      const random = seededRandom(seed);
      const whole = (below: number): number => Math.floor(random() * below);
      const harness = createHarness();
      const track = seed % 3 === 0 ? ["sensor:1", "sensor:2", "sensor:40"] : undefined;
      const copy: StateCopy = new Map();
      let position: { epoch: string; offset: number } | undefined;
      let read = 0;
      let connection = await harness.enter({ t: "subscribe", stream: "devices", ...(track && { track }) });

      /** Apply the received messages as a client does; a gap fails the test. */
      function receive(limit = Number.POSITIVE_INFINITY): void {
        for (let count = 0; count < limit && read < connection.sent.length; count += 1, read += 1) {
          const message = connection.sent[read];
          if (message?.t === "snapshot" && !Array.isArray(message.state)) {
            applySnapshotPart(copy, message.part, message.state);
            const { epoch, offset } = message;
            position = message.part === message.of ? { epoch, offset } : undefined;
          } else if (message?.t === "change") {
            if (!position) throw new Error("a change before the snapshot is whole");
            expect(applyChange(copy, position.offset, message).applied).toBe(true);
            position = { ...position, offset: message.offset };
          } else if (message?.t === "resumed") {
            position = { epoch: message.epoch, offset: message.offset };
          }
        }
      }
      const state = () => stateOf(harness.farm.stream("a"), track && new Set(track));

      for (let step = 0; step < 150; step += 1) {
        const choice = random();
        if (choice < 0.6) {
          const keys = Array.from({ length: 1 + whole(60) }, () => `sensor:${whole(80)}`);
          const values = keys.map((key) => [key, { step, text: random() < 0.7 ? TEXT : "", [key]: 1 }]);
          const gone = random() < 0.3 ? [`sensor:${whole(80)}`] : [];
          harness.account.change(Object.fromEntries(values), gone);
        } else if (choice < 0.85) {
          const marker = connection.markers[whole(connection.markers.length)];
          if (marker !== undefined) connection.session.confirmed(marker);
        } else if (choice < 0.92) {
          receive(whole(20));
        } else {
          // The connection breaks with messages in flight, which are lost.
          connection.session.closed();
          harness.timers.advance(1_000);
          read = 0;
          connection = await harness.enter({
            t: "subscribe",
            stream: "devices",
            ...(position && { position }),
            ...(track && { track }),
          });
        }
      }
      for (let round = 0; round < 200; round += 1) {
        const marker = connection.markers.at(-1);
        if (marker !== undefined) connection.session.confirmed(marker);
      }
      receive();
      expect(Object.fromEntries(copy)).toEqual(state());
    });
  });
});

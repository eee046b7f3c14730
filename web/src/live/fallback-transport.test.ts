import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers, settle } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { createFallbackTransport, OPEN_WITHIN_MS } from "./fallback-transport.ts";
import { createFakeRelay, type FakeRelay } from "./testing/fake-relay.ts";
import type { Transport, TransportConnection } from "./transport.ts";

const WORD = { t: "beat", serverTime: "2026-11-21T03:00:00Z" } as const;

describe("fallback transport", () => {
  let plain: FakeRelay;
  let other: FakeRelay;
  let timers: FakeTimers;
  let unreachable: boolean;
  let transport: Transport;
  let said: string[];

  beforeEach(() => {
    plain = createFakeRelay();
    other = createFakeRelay();
    timers = createFakeTimers(createFakeClock());
    unreachable = false;
    said = [];
    const loadOther = async (): Promise<Transport> => {
      if (unreachable) throw new TypeError("Failed to fetch dynamically imported module");
      return other.transport;
    };
    transport = createFallbackTransport(plain.transport, loadOther, timers);
  });

  const open = async (): Promise<TransportConnection> => {
    const connection = transport.open({
      opened: () => said.push("opened"),
      message: () => said.push("message"),
      closed: () => said.push("closed"),
    });
    await settle();
    return connection;
  };
  /** Return the number of attempts on either transport. */
  const attempts = () => [plain.sockets.length, other.sockets.length];
  const fail = async (relay: FakeRelay): Promise<void> => {
    await open();
    relay.latest().cut();
  };

  it("[LIVE-2] makes the third attempt over the other transport after two without a message, and the fourth over the first", async () => {
    await fail(plain);
    await fail(plain);
    expect(attempts()).toEqual([2, 0]);
    await fail(other);
    expect(attempts()).toEqual([2, 1]);
    await fail(plain);
    await fail(plain);
    await open();
    expect(attempts()).toEqual([4, 2]);
    expect(said).toEqual(Array(5).fill("closed"));
  });

  it("[LIVE-2] prefers a transport after a message of the relay arrived over it", async () => {
    await fail(plain);
    await fail(plain);
    await open();
    other.latest().open();
    other.latest().say(WORD);
    other.latest().cut();
    await fail(other);
    await fail(other);
    expect(attempts()).toEqual([2, 3]);
    await open();
    expect(attempts()).toEqual([3, 3]);
    plain.latest().say(WORD);
    plain.latest().cut();
    await open();
    expect(attempts()).toEqual([4, 3]);
  });

  it("[LIVE-2] counts a transport that opens without a message as failed: a proxy may pass only the upgrade", async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const connection = await open();
      plain.latest().open();
      connection.close();
    }
    await open();
    expect(attempts()).toEqual([2, 1]);
  });

  it("[LIVE-2] abandons an attempt that does not open, but not an open one", async () => {
    await open();
    await timers.pass(OPEN_WITHIN_MS);
    expect(plain.latest().closedByClient).toBe(true);
    expect(said).toEqual(["closed"]);
    await open();
    plain.latest().open();
    await timers.pass(OPEN_WITHIN_MS * 10);
    expect(said).toEqual(["closed", "opened"]);
  });

  it("[LIVE-2] counts a transport that fails to load as a failed attempt", async () => {
    unreachable = true;
    await fail(plain);
    await fail(plain);
    await open();
    expect(said).toEqual(["closed", "closed", "closed"]);
    await open();
    expect(attempts()).toEqual([3, 0]);
  });

  it("[LIVE-2] forwards sent messages, and reports nothing after it was closed", async () => {
    const connection = await open();
    plain.latest().open();
    plain.latest().say(WORD);
    connection.send({ t: "active" });
    expect(plain.latest().received).toEqual([{ t: "active" }]);
    connection.close();
    plain.latest().say(WORD);
    plain.latest().cut();
    expect(said).toEqual(["opened", "message"]);
    expect(plain.latest().closedByClient).toBe(true);
  });

  it("[LIVE-2] does not open a transport loaded after its attempt was closed", async () => {
    await fail(plain);
    await fail(plain);
    const connection = transport.open({
      opened: () => said.push("opened"),
      message: () => said.push("message"),
      closed: () => said.push("closed"),
    });
    connection.close();
    await settle();
    expect(other.sockets).toHaveLength(0);
  });
});

import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { beforeEach, describe, expect, it } from "vitest";
import type { Door, DoorConnection } from "./door.ts";
import { createFallbackDoor, OPEN_WITHIN_MS } from "./fallback-door.ts";
import {
  createFakeRelay,
  createFakeTimers,
  type FakeRelay,
  type FakeTimers,
  settle,
} from "./testing/fake-relay.ts";

const WORD = { t: "beat", serverTime: "2026-11-21T03:00:00Z" } as const;

describe("fallback door", () => {
  let plain: FakeRelay;
  let other: FakeRelay;
  let timers: FakeTimers;
  let unreachable: boolean;
  let door: Door;
  let said: string[];

  beforeEach(() => {
    plain = createFakeRelay();
    other = createFakeRelay();
    timers = createFakeTimers(createFakeClock());
    unreachable = false;
    said = [];
    const loadOther = async (): Promise<Door> => {
      if (unreachable) throw new TypeError("Failed to fetch dynamically imported module");
      return other.door;
    };
    door = createFallbackDoor(plain.door, loadOther, timers);
  });

  const open = async (): Promise<DoorConnection> => {
    const connection = door.open({
      opened: () => said.push("opened"),
      message: () => said.push("message"),
      closed: () => said.push("closed"),
    });
    await settle();
    return connection;
  };
  /** Attempts so far at either door. */
  const attempts = () => [plain.sockets.length, other.sockets.length];
  const fail = async (relay: FakeRelay): Promise<void> => {
    await open();
    relay.latest().cut();
  };

  it("[LIVE-2] two attempts without a word send the third through the other door, and the fourth back", async () => {
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

  it("[LIVE-2] a door at which the relay was heard is the first from then on", async () => {
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

  it("[LIVE-2] a door that opens without a word is none: something between let the upgrade through alone", async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const connection = await open();
      plain.latest().open();
      connection.close();
    }
    await open();
    expect(attempts()).toEqual([2, 1]);
  });

  it("[LIVE-2] an attempt that does not open is given up, one that has opened is not", async () => {
    await open();
    await timers.pass(OPEN_WITHIN_MS);
    expect(plain.latest().closedByClient).toBe(true);
    expect(said).toEqual(["closed"]);
    await open();
    plain.latest().open();
    await timers.pass(OPEN_WITHIN_MS * 10);
    expect(said).toEqual(["closed", "opened"]);
  });

  it("[LIVE-2] another door that cannot be fetched is one more attempt that failed", async () => {
    unreachable = true;
    await fail(plain);
    await fail(plain);
    await open();
    expect(said).toEqual(["closed", "closed", "closed"]);
    await open();
    expect(attempts()).toEqual([3, 0]);
  });

  it("[LIVE-2] hands on what is sent, and says nothing after it was closed", async () => {
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

  it("[LIVE-2] a door that was fetched after its attempt was closed is not opened", async () => {
    await fail(plain);
    await fail(plain);
    const connection = door.open({
      opened: () => said.push("opened"),
      message: () => said.push("message"),
      closed: () => said.push("closed"),
    });
    connection.close();
    await settle();
    expect(other.sockets).toHaveLength(0);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import {
  type Bench,
  createBench,
  devicesSnapshot,
  eventsSnapshot,
  type FakeSocket,
  sensorValue,
  settle,
} from "../../live/testing/fake-relay.ts";
import { FIRST_AFTER_MS, KEEP_EVERY_MS, keepFarm, RESTORE_AFTER_MS } from "./keep-farm.ts";
import { entriesOf, readKept } from "./kept-farm.ts";
import type { Shelf } from "./shelf.ts";

const ACCOUNT = { id: "a1", username: "farmer", nickname: "김선우", userType: "USER" } as const;
const FARM = { info: { id: "f1", name: "논산", description: null, sensorIds: ["s1"] } };

interface FakeShelf extends Shelf {
  held: unknown;
  writes: number;
}

function createFakeShelf(held?: unknown): FakeShelf {
  const shelf: FakeShelf = {
    held,
    writes: 0,
    read: async () => shelf.held,
    async write(value) {
      shelf.writes += 1;
      // As a database would: what is kept is a copy.
      shelf.held = JSON.parse(JSON.stringify(value));
    },
    async clear() {
      shelf.held = undefined;
    },
  };
  return shelf;
}

describe("keeping a farm for a start without a network", () => {
  let bench: Bench;
  let shelf: FakeShelf;
  beforeEach(() => {
    bench = createBench();
    shelf = createFakeShelf();
  });

  const live = async (state: Record<string, Record<string, unknown>>): Promise<FakeSocket> => {
    const socket = await bench.welcome();
    socket.say(devicesSnapshot("e1", 1, state));
    socket.say(eventsSnapshot("v1", 1));
    bench.paint();
    await bench.timers.pass(0);
    return socket;
  };

  it("[pwa] keeps the readings once a minute while they are live, and not what is not", async () => {
    bench.start();
    const stop = keepFarm(bench.client, ACCOUNT, shelf, bench.timers);
    const socket = await live({ "sensor:s1": sensorValue(), "farm:f1": FARM });
    await bench.timers.pass(FIRST_AFTER_MS);
    expect(shelf.writes).toBe(1);
    const kept = readKept(shelf.held);
    expect(kept?.account.nickname).toBe("김선우");
    expect(Object.keys(kept?.values ?? {})).toEqual(["farm:f1", "sensor:s1"]);
    socket.say({ t: "beat", serverTime: new Date(bench.clock.now()).toISOString() });
    await bench.timers.pass(KEEP_EVERY_MS / 2);
    expect(shelf.writes).toBe(1);
    socket.say({ t: "beat", serverTime: new Date(bench.clock.now()).toISOString() });
    await bench.timers.pass(KEEP_EVERY_MS / 2);
    expect(shelf.writes).toBe(2);
    bench.client.connection.stop();
    bench.client.connection.look();
    await bench.timers.pass(KEEP_EVERY_MS);
    bench.client.connection.look();
    await bench.timers.pass(KEEP_EVERY_MS);
    stop();
    const writes = shelf.writes;
    await bench.timers.pass(KEEP_EVERY_MS * 3);
    expect(shelf.writes).toBe(writes);
  });

  it("[pwa] keeps no empty farm, and looks again soon", async () => {
    bench.start();
    keepFarm(bench.client, ACCOUNT, shelf, bench.timers);
    const socket = await bench.welcome();
    socket.say(devicesSnapshot("e1", 1, { "sensor:s1": sensorValue() }));
    socket.say(eventsSnapshot("v1", 1));
    await bench.timers.pass(FIRST_AFTER_MS);
    expect(shelf.writes).toBe(0);
    bench.paint();
    await bench.timers.pass(FIRST_AFTER_MS);
    expect(shelf.writes).toBe(1);
  });

  it("[ONL-2] shows a kept reading as one of which nobody knows, with its own time", async () => {
    const at = "2026-11-21T03:00:00Z";
    shelf.held = { at, account: ACCOUNT, values: { "sensor:s1": sensorValue(), "farm:f1": FARM } };
    bench.start();
    keepFarm(bench.client, ACCOUNT, shelf, bench.timers);
    await bench.timers.pass(RESTORE_AFTER_MS);
    await settle();
    expect(bench.client.store.get("sensor", "s1")).toMatchObject({ quality: "unknown", at });
    expect(bench.client.store.ids("farm")).toEqual(["f1"]);
  });

  it("[ONL-2] the present takes the place of what was kept, also where the farm no longer has it", async () => {
    const values = { "sensor:s1": sensorValue(), "sensor:sold": sensorValue() };
    shelf.held = { at: "2026-11-21T03:00:00Z", account: ACCOUNT, values };
    bench.start();
    keepFarm(bench.client, ACCOUNT, shelf, bench.timers);
    await bench.timers.pass(RESTORE_AFTER_MS);
    await settle();
    expect(bench.client.store.ids("sensor")).toEqual(["s1", "sold"]);
    await live({ "sensor:s1": sensorValue() });
    expect(bench.client.store.ids("sensor")).toEqual(["s1"]);
    expect(bench.client.store.get("sensor", "s1")?.quality).toBe("fresh");
  });

  it("[HS-2] shows nobody what was kept of another account", async () => {
    shelf.held = {
      at: "2026-11-21T03:00:00Z",
      account: { ...ACCOUNT, id: "a2" },
      values: { "sensor:s1": sensorValue() },
    };
    bench.start();
    keepFarm(bench.client, ACCOUNT, shelf, bench.timers);
    await bench.timers.pass(RESTORE_AFTER_MS);
    await settle();
    expect(bench.client.store.ids("sensor")).toEqual([]);
  });

  it("[pwa] says nothing of a valve, a watering or an alarm that was, and survives what is none of ours", () => {
    const at = "2026-11-21T03:00:00Z";
    const values = {
      "channel:c1": { number: 1 },
      "watering:w1": {},
      "alarm:x": {},
      "sensor:bad": { info: 3 },
      what: {},
    };
    expect(entriesOf({ at, account: ACCOUNT, values })).toEqual([]);
    for (const raw of [undefined, null, 7, {}, { at: "yesterday", account: ACCOUNT, values: {} }]) {
      expect(readKept(raw)).toBeNull();
    }
  });
});

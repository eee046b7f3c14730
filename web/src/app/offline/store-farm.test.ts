import { settle } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type Bench,
  createBench,
  devicesSnapshot,
  eventsSnapshot,
  type FakeSocket,
  sensorValue,
} from "../../live/testing/fake-relay.ts";
import type { OfflineCache } from "./offline-cache.ts";
import {
  entriesOf,
  FIRST_AFTER_MS,
  KEEP_EVERY_MS,
  keepFarm,
  parseStoredFarm,
  RESTORE_AFTER_MS,
} from "./store-farm.ts";

const ACCOUNT = { id: "a1", username: "farmer", nickname: "김선우", userType: "USER" } as const;
const FARM = { info: { id: "f1", name: "논산", description: null, sensorIds: ["s1"] } };

interface FakeOfflineCache extends OfflineCache {
  held: unknown;
  writes: number;
}

function createFakeOfflineCache(held?: unknown): FakeOfflineCache {
  const cache: FakeOfflineCache = {
    held,
    writes: 0,
    read: async () => cache.held,
    async write(value) {
      cache.writes += 1;
      // Store a copy, as a database does.
      cache.held = JSON.parse(JSON.stringify(value));
    },
    async clear() {
      cache.held = undefined;
    },
  };
  return cache;
}

describe("storing a farm for an offline start", () => {
  let bench: Bench;
  let cache: FakeOfflineCache;
  beforeEach(() => {
    bench = createBench();
    cache = createFakeOfflineCache();
  });

  const live = async (state: Record<string, Record<string, unknown>>): Promise<FakeSocket> => {
    const socket = await bench.welcome();
    socket.say(devicesSnapshot("e1", 1, state));
    socket.say(eventsSnapshot("v1", 1));
    bench.paint();
    await bench.timers.pass(0);
    return socket;
  };

  it("[pwa] stores the readings once a minute while they are live, and never otherwise", async () => {
    const disconnect = bench.start();
    const stop = keepFarm(bench.client, ACCOUNT, cache, bench.timers);
    const socket = await live({ "sensor:s1": sensorValue(), "farm:f1": FARM });
    await bench.timers.pass(FIRST_AFTER_MS);
    expect(cache.writes).toBe(1);
    const stored = parseStoredFarm(cache.held);
    expect(stored?.account.nickname).toBe("김선우");
    expect(Object.keys(stored?.values ?? {})).toEqual(["farm:f1", "sensor:s1"]);
    socket.say({ t: "beat", serverTime: new Date(bench.clock.now()).toISOString() });
    await bench.timers.pass(KEEP_EVERY_MS / 2);
    expect(cache.writes).toBe(1);
    socket.say({ t: "beat", serverTime: new Date(bench.clock.now()).toISOString() });
    await bench.timers.pass(KEEP_EVERY_MS / 2);
    expect(cache.writes).toBe(2);
    disconnect();
    bench.client.connection.update();
    await bench.timers.pass(KEEP_EVERY_MS);
    bench.client.connection.update();
    await bench.timers.pass(KEEP_EVERY_MS);
    stop();
    const writes = cache.writes;
    await bench.timers.pass(KEEP_EVERY_MS * 3);
    expect(cache.writes).toBe(writes);
  });

  it("[pwa] stores no empty farm, and checks again soon", async () => {
    bench.start();
    keepFarm(bench.client, ACCOUNT, cache, bench.timers);
    const socket = await bench.welcome();
    socket.say(devicesSnapshot("e1", 1, { "sensor:s1": sensorValue() }));
    socket.say(eventsSnapshot("v1", 1));
    await bench.timers.pass(FIRST_AFTER_MS);
    expect(cache.writes).toBe(0);
    bench.paint();
    await bench.timers.pass(FIRST_AFTER_MS);
    expect(cache.writes).toBe(1);
  });

  it("[ONL-2] shows a stored reading with unknown quality and its own time", async () => {
    const at = "2026-11-21T03:00:00Z";
    cache.held = { at, account: ACCOUNT, values: { "sensor:s1": sensorValue(), "farm:f1": FARM } };
    bench.start();
    keepFarm(bench.client, ACCOUNT, cache, bench.timers);
    await bench.timers.pass(RESTORE_AFTER_MS);
    await settle();
    expect(bench.client.store.get("sensor", "s1")).toMatchObject({ quality: "unknown", at });
    expect(bench.client.store.ids("farm")).toEqual(["f1"]);
  });

  it("[ONL-2] replaces stored values by live ones, also those missing in the farm", async () => {
    const values = { "sensor:s1": sensorValue(), "sensor:sold": sensorValue() };
    cache.held = { at: "2026-11-21T03:00:00Z", account: ACCOUNT, values };
    bench.start();
    keepFarm(bench.client, ACCOUNT, cache, bench.timers);
    await bench.timers.pass(RESTORE_AFTER_MS);
    await settle();
    expect(bench.client.store.ids("sensor")).toEqual(["s1", "sold"]);
    await live({ "sensor:s1": sensorValue() });
    expect(bench.client.store.ids("sensor")).toEqual(["s1"]);
    expect(bench.client.store.get("sensor", "s1")?.quality).toBe("fresh");
  });

  it("[HS-2] never shows another account's stored data", async () => {
    cache.held = {
      at: "2026-11-21T03:00:00Z",
      account: { ...ACCOUNT, id: "a2" },
      values: { "sensor:s1": sensorValue() },
    };
    bench.start();
    keepFarm(bench.client, ACCOUNT, cache, bench.timers);
    await bench.timers.pass(RESTORE_AFTER_MS);
    await settle();
    expect(bench.client.store.ids("sensor")).toEqual([]);
  });

  it("[pwa] stores no valve, watering or alarm, and survives foreign data", () => {
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
      expect(parseStoredFarm(raw)).toBeNull();
    }
  });
});

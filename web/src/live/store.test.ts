import { describe, expect, it } from "vitest";
import { createLiveStore, type LiveEntry, parseValue } from "./store.ts";
import { sensorValue } from "./testing/fake-relay.ts";

const INFO = { id: "s1", deviceType: "SMS", serial: 1 };

const sensor = (id: string, change: Record<string, unknown> = {}): LiveEntry => {
  const entry = parseValue("sensor", id, { ...sensorValue(), ...change });
  if (!entry) throw new Error("the value does not fit its schema");
  return entry;
};

describe("live store", () => {
  it("[store] changes the listing with keys, info and quality, not with readings", () => {
    const store = createLiveStore();
    let called = 0;
    store.subscribe("sensor.listing", () => {
      called += 1;
    });
    const put = (...entries: LiveEntry[]) => store.apply({ put: entries, remove: [] });
    put(sensor("a"), sensor("b"));
    expect(called).toBe(1);
    put(sensor("a", { reading: { moisture: 31 }, heardAt: "2026-11-22T04:00:00Z" }));
    expect(called).toBe(1);
    expect(store.version("sensor")).toBe(2);
    put(sensor("a", { quality: "late" }));
    expect(called).toBe(2);
    put(sensor("b", { info: { ...INFO, name: "Renamed" } }));
    expect(called).toBe(3);
    store.apply({ put: [], remove: ["sensor:b"] });
    expect(called).toBe(4);
    expect(store.version("sensor.listing")).toBe(4);
  });

  it("[store] keeps the listing unchanged by an equal info", () => {
    const store = createLiveStore();
    store.apply({ put: [sensor("a", { info: { ...INFO } })], remove: [] });
    store.apply({ put: [sensor("a", { info: { ...INFO } })], remove: [] });
    expect(store.version("sensor.listing")).toBe(1);
    expect(store.version("sensor")).toBe(2);
  });
});

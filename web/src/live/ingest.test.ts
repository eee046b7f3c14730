import { describe, expect, it } from "vitest";
import { createEventLog, createIngest } from "./ingest.ts";
import type { CaughtUp } from "./state-stream.ts";
import { createLiveStore } from "./store.ts";
import { sensorValue } from "./testing/fake-relay.ts";

function setUp() {
  const store = createLiveStore();
  const flushes: (() => void)[] = [];
  const ingest = createIngest(store, createEventLog(), (flush) => flushes.push(flush));
  const paint = () => {
    for (const flush of flushes.splice(0)) flush();
  };
  return { store, ingest, flushes, paint };
}

const part = (number: number, of: number, state: Record<string, Record<string, unknown>>) =>
  ({ t: "snapshot", stream: "devices", epoch: "e1", offset: 5, part: number, of, state }) as const;

describe("ingest", () => {
  it("[SLOW-3] shows each part on arrival, and advances its offset with the last one", () => {
    const { store, ingest, paint } = setUp();
    ingest.apply(part(1, 2, { "sensor:a": sensorValue() }));
    paint();
    expect(store.ids("sensor")).toEqual(["a"]);
    expect(ingest.positions.devices.current()).toBeUndefined();
    ingest.apply(part(2, 2, { "sensor:b": sensorValue() }));
    paint();
    expect(store.ids("sensor")).toEqual(["a", "b"]);
    expect(ingest.positions.devices.current()).toEqual({ epoch: "e1", offset: 5 });
  });

  it("[SLOW-3] removes keys missing in a snapshot after its last part, not before", () => {
    const { store, ingest, paint } = setUp();
    ingest.apply(part(1, 1, { "sensor:a": sensorValue(), "sensor:b": sensorValue() }));
    ingest.apply(part(1, 2, { "sensor:a": sensorValue() }));
    paint();
    expect(store.ids("sensor")).toEqual(["a", "b"]);
    ingest.apply(part(2, 2, {}));
    paint();
    expect(store.ids("sensor")).toEqual(["a"]);
  });

  it("[SUB-3] keeps nothing of the old epoch if it changes between two parts, and waits for the whole new one", () => {
    const { store, ingest, paint } = setUp();
    const caughtUp: CaughtUp[] = [];
    ingest.onCaughtUp((keys) => caughtUp.push(keys));
    const next = (number: number, state: Record<string, Record<string, unknown>>) =>
      ({ ...part(number, 2, state), epoch: "e2", offset: 0 }) as const;
    ingest.apply(part(1, 3, { "sensor:a": sensorValue(), "sensor:b": sensorValue() }));
    ingest.apply(next(1, { "sensor:c": sensorValue() }));
    expect(ingest.positions.devices.current()).toBeUndefined();
    ingest.apply(next(2, { "sensor:a": sensorValue() }));
    paint();
    expect([...store.ids("sensor")].sort()).toEqual(["a", "c"]);
    expect(ingest.positions.devices.current()).toEqual({ epoch: "e2", offset: 0 });
    expect(caughtUp).toEqual(["all"]);
  });

  it("[ingest] combines many frames into one flush and one listener call", () => {
    const { store, ingest, flushes, paint } = setUp();
    ingest.apply(part(1, 1, { "sensor:a": sensorValue() }));
    paint();
    let calls = 0;
    store.subscribe("sensor:a", () => {
      calls += 1;
    });
    for (let offset = 5; offset < 25; offset += 1) {
      ingest.apply({
        t: "change",
        stream: "devices",
        from: offset,
        offset: offset + 1,
        patch: { "sensor:a": { reading: { moisture: offset } } },
      });
    }
    expect(flushes).toHaveLength(1);
    paint();
    expect(calls).toBe(1);
    expect(store.get("sensor", "a")?.reading).toEqual({ moisture: 24 });
  });

  it("[SUB-1] keeps a key that is deleted and set again within one frame", () => {
    const { store, ingest, paint } = setUp();
    ingest.apply(part(1, 1, { "sensor:a": sensorValue() }));
    ingest.apply({ t: "change", stream: "devices", from: 5, offset: 6, del: ["sensor:a"] });
    ingest.apply({
      t: "change",
      stream: "devices",
      from: 6,
      offset: 7,
      set: { "sensor:a": sensorValue({ quality: "late" }) },
    });
    paint();
    expect(store.get("sensor", "a")?.quality).toBe("late");
  });

  it("[SUB-5] reports keys with skipped values, and all after a snapshot", () => {
    const { ingest } = setUp();
    const reported: CaughtUp[] = [];
    ingest.onCaughtUp((keys) => reported.push(keys));
    ingest.apply(part(1, 1, {}));
    ingest.apply({ t: "change", stream: "devices", from: 5, offset: 6, set: { "sensor:a": sensorValue() } });
    ingest.apply({ t: "change", stream: "devices", from: 6, offset: 9, set: { "sensor:a": sensorValue() } });
    expect(reported).toEqual(["all", new Set(["sensor:a"])]);
  });

  it("[ingest] omits and counts a value that does not match its schema", () => {
    const { store, ingest, paint } = setUp();
    ingest.apply(part(1, 1, { "sensor:a": { reading: 3 }, "sensor:b": sensorValue(), "robot:1": {} }));
    paint();
    expect(store.ids("sensor")).toEqual(["b"]);
    expect(ingest.rejected()).toBe(1);
  });
});

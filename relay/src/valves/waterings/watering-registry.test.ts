import type { MeterReading } from "@mulkko/shared/rules/meter";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, test } from "vitest";
import { createFakeDocuments } from "../../../testing/fake-documents.ts";
import { createFakeLog, createFakeWriter } from "../../../testing/valves/fake-writer.ts";
import type { DocumentChange } from "../../store/collections.ts";
import { WriteBehind } from "../../store/write-behind.ts";
import { createStoreTime } from "../store-time.ts";
import { type StoredWatering, WATERINGS, WateringRegistry } from "./watering-registry.ts";

const CHANNEL = "channel:11";
const METER = "sensor:w1";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Create a registry over a fake store and clock. `start` creates it again, as after a restart. */
function createWorld() {
  const clock = createFakeClock();
  const store = createFakeDocuments();
  const log = createFakeLog();
  const past: { channelKey: string; at: number }[] = [];
  let linked: string | null = null;
  let largestFlow: number | null = null;
  let pastMoisture: number | null | Error = null;
  let meterLog: MeterReading[] | Error = [];
  let ids = 0;
  let timers = createFakeTimers(clock);
  let writer = createFakeWriter();
  let registry: WateringRegistry;

  const stored = async (): Promise<StoredWatering[]> =>
    (await store.documents.since(WATERINGS, 0)).flatMap((parsed) => (parsed.ok ? [parsed.value] : []));
  const start = async (listed = true): Promise<void> => {
    timers = createFakeTimers(clock);
    writer = createFakeWriter();
    if (listed) writer.set(CHANNEL, { moisture: 30 });
    registry = new WateringRegistry({
      writer,
      durable: new WriteBehind<DocumentChange>({
        write: (changes) => store.documents.write(changes),
        timers,
        onFailure: (error) => log.error({ event: "not-stored", err: error }, "not stored"),
      }),
      time: createStoreTime(clock, clock, timers),
      log,
      newId: () => `w${++ids}`,
      settings: { flowSensorOf: () => linked, largestFlowOf: () => largestFlow },
      past: {
        async moistureOf(channelKey, at) {
          past.push({ channelKey, at });
          if (pastMoisture instanceof Error) throw pastMoisture;
          return pastMoisture;
        },
        async meterReadings(_sensorId, from, to) {
          if (meterLog instanceof Error) throw meterLog;
          return meterLog.filter(({ at }) => at >= from && at <= to);
        },
      },
    });
    registry.load(await stored());
  };
  return {
    clock,
    past,
    start,
    stored,
    get registry() {
      return registry;
    },
    get writer() {
      return writer;
    },
    link(sensorId: string | null, flow: number | null = null) {
      linked = sensorId;
      largestFlow = flow;
    },
    /** Set the moisture that the logs return for a past moment. */
    remembers(moisture: number | null | Error) {
      pastMoisture = moisture;
    },
    /** Add a row to the meter's log that was not reported live. */
    logs(litres: number) {
      if (!(meterLog instanceof Error)) meterLog.push({ at: clock.now(), litres });
    },
    meter(litres: number) {
      writer.set(METER, { reading: { flowmeter: litres }, at: new Date(clock.now()).toISOString() });
      if (!(meterLog instanceof Error)) meterLog.push({ at: clock.now(), litres });
    },
    /** Let the meter report every `every` ms for a time, with a flow in L/min. */
    async meters(litres: number, flow: number, ms: number, every = MINUTE) {
      let total = litres;
      for (let passed = 0; passed < ms; passed += every) {
        await timers.pass(every);
        total += (flow * every) / MINUTE;
        this.meter(total);
      }
      return total;
    },
    /** Let the meter's log fail. */
    breakLog() {
      meterLog = new Error("no log");
    },
    kill: () => registry.close(),
    pass: (ms: number) => timers.pass(ms),
    begin: (channelKey = CHANNEL) =>
      registry.begin(channelKey, { cause: "external", by: null, at: clock.now() }),
    all: () => [...writer.keys()].filter((key) => key.startsWith("watering:")).map((key) => writer.get(key)),
    only: () => {
      const [first] = [...writer.keys()].filter((key) => key.startsWith("watering:"));
      return first === undefined ? undefined : writer.get(first);
    },
  };
}

describe("the litres of a watering", () => {
  test("[WAT-1] are the linked meter's count, once it has stood still for five minutes", async () => {
    const world = createWorld();
    await world.start();
    world.link("w1");
    await world.meters(1_000, 0, 5 * MINUTE);
    world.begin();
    const total = await world.meters(1_000, 10, 6 * MINUTE);
    world.registry.end(CHANNEL, "closed", world.clock.now());
    await world.meters(total, 0, 4 * MINUTE);
    expect(world.only()).toMatchObject({ litres: null });
    await world.meters(total, 0, 3 * MINUTE);
    expect(world.only()).toMatchObject({ litres: 60 });
    await world.meters(2_000, 0, HOUR);
    expect(world.only()).toMatchObject({ litres: 60 });
  });

  test("[WAT-1] survive a restart, and are null without a linked meter", async () => {
    const world = createWorld();
    await world.start();
    world.link("w1");
    await world.meters(1_000, 0, 5 * MINUTE);
    world.begin();
    const total = await world.meters(1_000, 10, 6 * MINUTE);
    world.kill();
    await world.start();
    world.registry.end(CHANNEL, "closed", world.clock.now());
    await world.meters(total, 0, 2 * MINUTE);
    world.kill();
    await world.start();
    await world.meters(total, 0, 5 * MINUTE);
    expect(world.only()).toMatchObject({ litres: 60 });

    const without = createWorld();
    await without.start();
    without.begin();
    without.registry.end(CHANNEL, "closed", without.clock.now());
    without.meter(5);
    await without.pass(HOUR);
    expect(without.only()).toMatchObject({ litres: null });
  });

  test("[WAT-5] of a meter that reports each hour are awaited, also over a restart", async () => {
    const world = createWorld();
    await world.start();
    world.link("w1", 12);
    await world.meters(5_000, 0, 4 * HOUR, HOUR);
    await world.pass(10 * MINUTE);
    world.begin();
    await world.pass(20 * MINUTE);
    world.registry.end(CHANNEL, "closed", world.clock.now());
    await world.pass(29 * MINUTE);
    world.kill();
    await world.start();
    await world.pass(MINUTE);
    world.meter(5_200);
    await world.pass(2 * MINUTE);
    expect(world.only()).toMatchObject({ litres: 200 });
  });

  test("[WAT-5] of a meter that is read by its log only are read from it again, for twice its interval", async () => {
    const world = createWorld();
    await world.start();
    world.link("w1", 12);
    await world.meters(5_000, 0, 4 * HOUR, HOUR);
    await world.pass(10 * MINUTE);
    world.begin();
    await world.pass(20 * MINUTE);
    world.registry.end(CHANNEL, "closed", world.clock.now());
    await world.pass(40 * MINUTE);
    world.logs(5_200);
    await world.pass(12 * MINUTE);
    expect(world.only()).toMatchObject({ litres: 200 });
  });
});

describe("water that was not measured", () => {
  const SECOND = 1_000;
  test("[WAT-5] is no number: the meter was silent for hours before the run", async () => {
    const world = createWorld();
    await world.start();
    world.link("w1", 40);
    world.meter(1_000);
    await world.pass(3 * HOUR);
    world.begin();
    await world.pass(10 * SECOND);
    world.registry.end(CHANNEL, "closed", world.clock.now());
    await world.pass(2 * SECOND);
    world.meter(1_005);
    await world.pass(HOUR);
    world.meter(1_005);
    await world.pass(HOUR);
    expect(world.only()).toMatchObject({ litres: null });
  });

  test("[WAT-5] is no total of a meter that restarted before the run", async () => {
    const world = createWorld();
    await world.start();
    world.link("w1", 150);
    await world.meters(184_302, 0, 5 * MINUTE);
    await world.pass(SECOND);
    world.meter(0);
    await world.pass(SECOND);
    world.begin();
    await world.pass(3 * SECOND);
    world.meter(184_310);
    await world.pass(7 * SECOND);
    world.registry.end(CHANNEL, "closed", world.clock.now());
    await world.pass(2 * SECOND);
    world.meter(184_322);
    await world.meters(184_322, 0, 7 * MINUTE);
    expect(world.only()).toMatchObject({ litres: 20 });
  });

  test("[WAT-5] is shared by two channels of one meter, and marked", async () => {
    const world = createWorld();
    await world.start();
    world.link("w1", 120);
    await world.meters(1_000, 0, 5 * MINUTE);
    world.begin();
    world.begin("channel:12");
    await world.pass(12 * SECOND);
    world.registry.end(CHANNEL, "closed", world.clock.now());
    world.registry.end("channel:12", "closed", world.clock.now());
    await world.pass(2 * SECOND);
    world.meter(1_040);
    await world.meters(1_040, 0, 7 * MINUTE);
    expect(world.all()).toMatchObject([
      { litres: 20, litresShared: true },
      { litres: 20, litresShared: true },
    ]);
  });

  test("[WAT-5] stays unknown where the meter reports no more, or its log cannot be read", async () => {
    for (const isBroken of [false, true]) {
      const world = createWorld();
      await world.start();
      world.link("w1");
      world.meter(1_000);
      world.begin();
      await world.pass(MINUTE);
      world.meter(1_030);
      if (isBroken) world.breakLog();
      world.registry.end(CHANNEL, "closed", world.clock.now() + SECOND);
      await world.pass(6 * HOUR);
      expect(world.only()).toMatchObject({ litres: null });
      expect((await world.stored()).map(({ meter }) => meter)).toEqual([undefined]);
    }
  });
});

describe("the moisture after a watering", () => {
  test("[WAT-1] is recorded once by a relay that returned just in time", async () => {
    const world = createWorld();
    await world.start();
    world.begin();
    world.registry.end(CHANNEL, "done", world.clock.now());
    await world.pass(0);
    world.kill();
    world.clock.advance(31 * MINUTE);
    await world.start();
    world.writer.set(CHANNEL, { moisture: 41 });
    await world.pass(MINUTE);
    expect(world.only()).toMatchObject({ moistureAfter: 41 });
    world.writer.set(CHANNEL, { moisture: 50 });
    await world.pass(HOUR);
    expect(world.only()).toMatchObject({ moistureAfter: 41 });
    expect(world.past).toEqual([]);
  });

  test("[WAT-1] is read from the logs of that time where the relay was away", async () => {
    const world = createWorld();
    await world.start();
    world.begin();
    const end = world.clock.now();
    world.registry.end(CHANNEL, "done", end);
    await world.pass(0);
    world.kill();
    world.clock.advance(2 * HOUR);
    await world.start(false);
    world.remembers(39);
    await world.pass(5 * MINUTE);
    expect(world.past).toEqual([]);
    world.writer.set(CHANNEL, { moisture: 33 });
    await world.pass(2 * MINUTE);
    expect(world.only()).toMatchObject({ moistureAfter: 39 });
    expect(world.past).toEqual([{ channelKey: CHANNEL, at: end + 30 * MINUTE }]);
  });

  test("[WAT-1] is left out where the logs have none, or cannot be read three times", async () => {
    for (const [answer, times] of [
      [null, 1],
      [new Error("away"), 3],
    ] as const) {
      const world = createWorld();
      await world.start();
      world.begin();
      world.registry.end(CHANNEL, "done", world.clock.now());
      await world.pass(0);
      world.kill();
      world.clock.advance(2 * HOUR);
      await world.start();
      world.remembers(answer);
      await world.pass(HOUR);
      expect(world.past).toHaveLength(times);
      expect(world.only()).toMatchObject({ moistureAfter: null });
    }
  });
});

describe("a watering without an end", () => {
  test("[WAT-1] is lost, as of its last report, once its device has been silent for more than a day", async () => {
    const world = createWorld();
    await world.start();
    world.begin();
    await world.pass(HOUR);
    const seen = world.clock.now();
    world.registry.saw(CHANNEL, seen);
    await world.pass(25 * HOUR);
    expect(world.only()).toMatchObject({ end: null });
    await world.pass(2 * HOUR);
    expect(world.only()).toBeUndefined();
    const [stored] = await world.stored();
    expect(stored?.watering).toMatchObject({ end: new Date(seen).toISOString(), endReason: "lost" });
  });

  test("[WAT-1] is lost when its channel was removed, but not while the lists are being read", async () => {
    const world = createWorld();
    await world.start();
    world.begin();
    await world.pass(MINUTE);
    world.kill();
    await world.start(false);
    await world.pass(HOUR);
    expect(world.only()).toMatchObject({ end: null });
    world.writer.set("farm:1", {});
    await world.pass(HOUR);
    expect(world.only()).toMatchObject({ endReason: "lost" });
  });

  test("[WAT-1] records when the relay last saw it before it stopped", async () => {
    const world = createWorld();
    await world.start();
    world.begin();
    for (let minutes = 0; minutes < 20; minutes += 1) {
      await world.pass(MINUTE);
      world.registry.saw(CHANNEL, world.clock.now());
    }
    expect(world.registry.unseenFor(CHANNEL)).toBe(0);
    await world.pass(0);
    world.kill();
    world.clock.advance(HOUR);
    await world.start();
    expect(world.registry.unseenFor(CHANNEL)).toBeGreaterThanOrEqual(HOUR);
    expect(world.registry.unseenFor(CHANNEL)).toBeLessThanOrEqual(HOUR + 5 * MINUTE);
  });
});

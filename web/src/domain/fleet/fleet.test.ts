import { describe, expect, it } from "vitest";
import { type Bench, createBench, devicesSnapshot, eventsSnapshot } from "../../live/testing/fake-relay.ts";
import { buildFleetDevice } from "../../testing/build-fleet-device.ts";
import { createFleet, LINGER_MS, SETTLE_MS } from "./fleet-store.ts";

const snapshot = (offset: number, devices: readonly string[], part = 1, of = 1) =>
  ({
    t: "snapshot",
    stream: "fleet",
    epoch: "f1",
    offset,
    part,
    of,
    state: Object.fromEntries(devices.map((id) => [`device:${id}`, buildFleetDevice({ id, name: id })])),
  }) as const;

async function setUp() {
  const bench: Bench = createBench();
  bench.start();
  const socket = await bench.welcome();
  socket.say(devicesSnapshot("e1", 1, {}));
  socket.say(eventsSnapshot("v1", 1));
  const fleet = createFleet(bench.client);
  const said = () => socket.received.slice(3);
  return { bench, socket, fleet, store: fleet.store, said };
}

describe("[fleet] fleet stream", () => {
  it("[fleet] is subscribed while a page needs it and a while longer", async () => {
    const { bench, fleet, said } = await setUp();
    expect(said()).toEqual([]);
    const [morning, board] = [fleet.use(), fleet.use()];
    expect(said()).toEqual([{ t: "subscribe", stream: "fleet" }]);
    morning();
    board();
    await bench.timers.pass(LINGER_MS - 1);
    const again = fleet.use();
    await bench.timers.pass(LINGER_MS);
    expect(said()).toHaveLength(1);
    again();
    await bench.timers.pass(LINGER_MS);
    expect(said().at(-1)).toEqual({ t: "unsubscribe", stream: "fleet" });
  });

  it("[WARN-1] loads only the sums of all accounts while no page needs more, and the rest once one does", async () => {
    const { bench, socket, fleet, store, said } = await setUp();
    const sums = { t: "subscribe", stream: "fleet", track: ["fleet:list"] };
    fleet.use("sums");
    expect(said()).toEqual([sums]);
    const leave = fleet.use("whole");
    expect(said().slice(1)).toEqual([
      { t: "unsubscribe", stream: "fleet" },
      { t: "subscribe", stream: "fleet" },
    ]);
    socket.say(snapshot(4, ["a"]));
    bench.paint();
    expect(store.all("device").size).toBe(1);
    leave();
    await bench.timers.pass(LINGER_MS - 1);
    expect(said()).toHaveLength(3);
    await bench.timers.pass(1);
    expect(said().at(-1)).toEqual(sums);
    expect([store.all("device").size, store.status()]).toEqual([0, { state: "coming" }]);
  });

  it("[fleet] is complete after the last part of a snapshot, without values that no part contained", async () => {
    const { bench, socket, fleet, store } = await setUp();
    fleet.use();
    socket.say(snapshot(4, ["a", "b"], 1, 2));
    bench.paint();
    expect(store.status()).toEqual({ state: "coming" });
    socket.say(snapshot(4, ["c"], 2, 2));
    bench.paint();
    expect([...store.all("device").keys()]).toEqual(["device:a", "device:b", "device:c"]);
    expect(store.status()).toEqual({ state: "here" });
    socket.say(snapshot(9, ["c"]));
    bench.paint();
    expect([...store.all("device").keys()]).toEqual(["device:c"]);
  });

  it("[SUB-3] resumes from its position on a new connection, together with the page's own streams", async () => {
    const { bench, socket, fleet, store } = await setUp();
    fleet.use();
    socket.say(snapshot(4, ["a"]));
    socket.cut();
    await bench.timers.pass(1_000);
    const second = await bench.welcome();
    expect(second.received.slice(3)).toEqual([
      { t: "subscribe", stream: "fleet", position: { epoch: "f1", offset: 4 } },
    ]);
    const patch = { "device:a": { quality: "offline" } };
    second.say({ t: "change", stream: "fleet", from: 4, offset: 6, patch });
    second.say({ t: "resumed", stream: "fleet", epoch: "f1", offset: 6, changed: 1 });
    bench.paint();
    expect(store.get("device", "device:a")?.quality).toBe("offline");
  });

  it("[SUB-1] requests changes from its own offset when a frame has a different base", async () => {
    const { bench, socket, fleet, said, store } = await setUp();
    fleet.use();
    socket.say(snapshot(4, ["a"]));
    socket.say({
      t: "change",
      stream: "fleet",
      from: 7,
      offset: 8,
      patch: { "device:a": { quality: "late" } },
    });
    expect(said().at(-1)).toEqual({ t: "subscribe", stream: "fleet", position: { epoch: "f1", offset: 4 } });
    bench.paint();
    expect(store.get("device", "device:a")?.quality).toBe("fresh");
  });

  it("[fleet] is requested again after a temporary failure, and reports a refusal once", async () => {
    const { bench, socket, fleet, said, store } = await setUp();
    fleet.use();
    const refuse = (code: string, temporary: boolean) =>
      socket.say({ t: "error", code, message: "no", temporary, ref: "subscribe" });
    refuse("upstream-down", true);
    expect(store.status()).toEqual({ state: "refused", code: "upstream-down" });
    await bench.timers.pass(10_000);
    expect(said()).toHaveLength(2);
    socket.say(snapshot(1, ["a"]));
    bench.paint();
    expect(store.status()).toEqual({ state: "here" });
    refuse("forbidden", false);
    await bench.timers.pass(20_000);
    expect(store.status()).toEqual({ state: "refused", code: "forbidden" });
    expect(said()).toHaveLength(2);
  });

  it("[fleet] notifies a row once per frame and a list twice a second, however much changes", async () => {
    const { bench, socket, fleet, store } = await setUp();
    fleet.use();
    socket.say(snapshot(1, ["a", "b"]));
    bench.paint();
    // The status has its own interval after the first devices.
    await bench.timers.pass(2 * SETTLE_MS);
    const calls = { row: 0, list: 0, names: 0 };
    store.subscribe("device:a", () => {
      calls.row += 1;
    });
    store.subscribe("device", () => {
      calls.list += 1;
    });
    store.subscribe("names", () => {
      calls.names += 1;
    });
    for (let step = 0; step < 10; step += 1) {
      const patch = { "device:a": { battery: step }, "device:b": { battery: step } };
      socket.say({ t: "change", stream: "fleet", from: 1 + step, offset: 2 + step, patch });
      bench.paint();
      await bench.timers.pass(50);
    }
    await bench.timers.pass(SETTLE_MS);
    expect(calls).toEqual({ row: 10, list: 2, names: 0 });
  });

  it("[fleet] drops values that do not match their schema and unknown keys", async () => {
    const { bench, socket, fleet, store } = await setUp();
    fleet.use();
    socket.say({
      ...snapshot(1, ["a"]),
      state: { "device:a": buildFleetDevice(), "device:x": { name: 3 }, "weather:x": {}, "account:1": {} },
    });
    bench.paint();
    expect([...store.all("device").keys()]).toEqual(["device:a"]);
    expect(store.all("account").size).toBe(0);
  });
});

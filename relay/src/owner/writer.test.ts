import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import type { Frame } from "../ports/streams.ts";
import { flipAt } from "../store/contract.suite.ts";
import { createEmbeddedStore } from "../store/embedded/embedded-store.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { createFakeTimers } from "../testing/fake-timers.ts";
import { createKeptLog } from "../testing/kept-log.ts";
import { settle } from "../testing/settle.ts";
import { createWriter } from "./writer.ts";

async function rig() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  let epochs = 0;
  const whole = createEmbeddedStore({
    file: ":memory:",
    clock,
    timers,
    newEpoch: () => `epoch-${epochs++}`,
    onError: (error) => {
      throw error;
    },
  });
  const account = await whole.claim("a1");
  const streams = await whole.attach("a1");
  const said: string[] = [];
  const frames: Frame[] = [];
  streams.devices.listen((frame) => {
    frames.push(frame);
    said.push(frame.bytes.toString());
  });
  streams.events.listen((frame) => said.push(frame.bytes.toString()));
  let stale = 0;
  const troubles: string[] = [];
  const log = createKeptLog();
  const store = { ...account };
  const writer = createWriter({
    store,
    streams,
    kept: new Map(),
    clock,
    timers,
    log,
    onFlushed: () => undefined,
    onLogged: () => undefined,
    onTrouble: (trouble) => void troubles.push(trouble),
    onStale: () => {
      stale += 1;
    },
  });
  return { clock, timers, whole, store, streams, writer, frames, said, troubles, log, stale: () => stale };
}

test("[SUB-6] the first change after quiet leaves at once, with all that its handler changed", async () => {
  const { writer, said } = await rig();
  writer.set("sensor:1", { n: 1 });
  writer.set("sensor:2", { n: 1 });
  await settle();
  expect(said.map((text) => JSON.parse(text))).toEqual([
    {
      t: "change",
      stream: "devices",
      from: 0,
      offset: 1,
      set: { "sensor:1": { n: 1 }, "sensor:2": { n: 1 } },
    },
  ]);
});

test("[SUB-6] what follows within 100 ms is one frame at their end", async () => {
  const { writer, timers, frames } = await rig();
  writer.set("sensor:1", { n: 1, m: 1 });
  await settle();
  for (let n = 2; n < 6; n += 1) {
    timers.advance(20);
    writer.patch("sensor:1", { n });
    await settle();
  }
  expect(frames).toHaveLength(1);
  timers.advance(20);
  await settle();
  expect(frames).toHaveLength(2);
  expect(JSON.parse(frames[1]?.bytes.toString() ?? "")).toMatchObject({
    from: 1,
    offset: 2,
    patch: { "sensor:1": { n: 5 } },
  });
});

test("[SUB-6] an event flushes the pending state first, then goes out", async () => {
  const { writer, said, clock } = await rig();
  writer.set("sensor:1", { n: 1 });
  await settle();
  writer.patch("sensor:1", { n: 2 });
  writer.event(flipAt(clock.now()));
  writer.patch("sensor:1", { m: 3 });
  await settle();
  expect(said.map((text) => JSON.parse(text).t)).toEqual(["change", "change", "event"]);
  expect(said[1]).toContain('"n":2');
});

test("[SUB-1] the frame that is stored is the frame that is heard, byte for byte and once", async () => {
  const { writer, frames, store, streams } = await rig();
  const stored: Frame[] = [];
  const { step } = store;
  store.step = (one) => {
    stored.push(one.frame);
    return step(one);
  };
  writer.set("sensor:1", { n: 1 });
  await settle();
  expect(frames).toHaveLength(1);
  expect(frames[0]).toBe(stored[0]);
  expect(streams.devices.offset).toBe(1);
});

test("[NODE-2] where the stream moved, the owner begins an epoch with its whole copy", async () => {
  const { writer, store, streams, timers, troubles } = await rig();
  writer.set("sensor:1", { n: 1 });
  await settle();
  expect(troubles).toEqual([]);
  const before = { epoch: streams.devices.epoch, offset: streams.devices.offset };
  store.step = async () => ({ kind: "moved", offset: 40 });
  writer.set("sensor:2", { n: 1 });
  timers.advance(100);
  await settle();
  expect(streams.devices.changesSince(before)).toMatchObject({
    kind: "snapshot",
    state: { "sensor:1": { n: 1 }, "sensor:2": { n: 1 } },
  });
  expect(troubles).toEqual(["moved"]);
});

test("[NODE-3] what the store refused is flushed again, with what has come since", async () => {
  const { writer, store, streams, timers, troubles, log } = await rig();
  const { step } = store;
  store.step = async () => {
    throw new StoreUnavailableError("full");
  };
  writer.set("sensor:1", { n: 1 });
  await settle();
  expect(streams.devices.offset).toBe(0);
  expect(troubles).toEqual(["failed"]);
  expect(log.lines.map(({ level }) => level)).toEqual(["debug"]);
  store.step = step;
  writer.patch("sensor:1", { m: 2 });
  timers.advance(1_000);
  await settle();
  expect(streams.devices.changesSince(undefined)).toMatchObject({
    offset: 1,
    state: { "sensor:1": { n: 1, m: 2 } },
  });
});

test("[NODE-5] a stale owner is told, and writes no more", async () => {
  const { writer, whole, streams, stale, timers, troubles } = await rig();
  await whole.claim("a1");
  writer.set("sensor:1", { n: 1 });
  await settle();
  writer.set("sensor:2", { n: 1 });
  timers.advance(10_000);
  await settle();
  expect(stale()).toBe(1);
  expect(troubles).toEqual(["stale"]);
  expect(streams.devices.offset).toBe(0);
});

import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, settle } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createTestStore } from "../../testing/test-store.ts";
import { flipAt } from "../store/contract.suite.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import type { Frame } from "../store/streams.ts";
import { createWriter } from "./writer.ts";

async function harness() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const whole = createTestStore({ clock, timers });
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
  const log = createCapturedLog();
  const store = { ...account };
  const writer = createWriter({
    store,
    streams,
    stored: new Map(),
    clock,
    timers,
    log,
    observer: {
      flushed: () => undefined,
      trouble: (trouble) => void troubles.push(trouble),
      stale: () => {
        stale += 1;
      },
    },
  });
  return { clock, timers, whole, store, streams, writer, frames, said, troubles, log, stale: () => stale };
}

test("[SUB-6] sends the first change after a pause at once, with all changes of its handler", async () => {
  const { writer, said } = await harness();
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

test("[SUB-6] sends the changes of the following 100 ms as one frame at their end", async () => {
  const { writer, timers, frames } = await harness();
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

test("[SUB-6] flushes the pending state before an event", async () => {
  const { writer, said, clock } = await harness();
  writer.set("sensor:1", { n: 1 });
  await settle();
  writer.patch("sensor:1", { n: 2 });
  writer.event(flipAt(clock.now()));
  writer.patch("sensor:1", { m: 3 });
  await settle();
  expect(said.map((text) => JSON.parse(text).t)).toEqual(["change", "change", "event"]);
  expect(said[1]).toContain('"n":2');
});

test("[SUB-1] the stored frame is the sent frame, byte for byte and once", async () => {
  const { writer, frames, store, streams } = await harness();
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

test("[NODE-2] begins an epoch with the owner's whole copy if the stream moved", async () => {
  const { writer, store, streams, timers, troubles } = await harness();
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

test("[NODE-3] flushes what the store refused again, with newer changes", async () => {
  const { writer, store, streams, timers, troubles, log } = await harness();
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

test("[NODE-5] reports a stale owner, which writes no more", async () => {
  const { writer, whole, streams, stale, timers, troubles } = await harness();
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

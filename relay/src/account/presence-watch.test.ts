import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createLinkMonitor } from "../upstream/link-monitor.ts";
import type { PresenceChange } from "./presence.ts";
import { type PresenceDeps, PresenceWatch } from "./presence-watch.ts";

const MINUTE = 60_000;
const KEY = "sensor:1";

function harness({
  reception,
  ...change
}: Partial<Omit<PresenceDeps, "reception">> & { reception?: Partial<PresenceDeps["reception"]> } = {}) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const changes: (PresenceChange & { at: number })[] = [];
  const asked: string[] = [];
  const start = clock.monotonic();
  const link = createLinkMonitor({
    ...{ clock, timers, mqtt: "off", store: "embedded" },
    onError: (error) => {
      throw error;
    },
  });
  link.reachable(true);
  const watch = new PresenceWatch({
    clock,
    timers,
    link,
    reception: { isReceivedSince: () => true, isDoubtful: () => false, ...reception },
    pollInterval: () => null,
    onDue: (key) => asked.push(key),
    onChange: (one) => changes.push({ ...one, at: clock.monotonic() - start }),
    onSourceBack: () => undefined,
    ...change,
  });
  const report = (key = KEY): void => watch.reported(key, { heardAt: clock.now(), regular: true });
  const flips = () => changes.flatMap(({ flip, at }) => (flip ? [{ online: flip.online, at }] : []));
  return { clock, timers, link, watch, changes, asked, report, flips };
}

test("[ONL-1] a device becomes late and offline exactly on time, and returns with the next report", () => {
  const { watch, timers, changes, report, flips, clock } = harness();
  watch.watch(KEY);
  report();
  const last = clock.now();
  timers.advance(60 * MINUTE - 1);
  expect(changes.map(({ quality, at }) => [quality, at])).toEqual([
    ["fresh", 0],
    ["late", 15 * MINUTE],
  ]);
  timers.advance(1);
  expect(changes.at(-1)).toMatchObject({
    quality: "offline",
    at: 60 * MINUTE,
    flip: { online: false, last },
  });
  timers.advance(MINUTE);
  report();
  expect(changes.at(-1)).toMatchObject({ quality: "fresh", flip: { online: true, last } });
  expect(flips()).toHaveLength(2);
});

test.each([
  ["between the two", -5, -5],
  ["the newest", 0, 0],
  ["none that is known", undefined, 0],
  ["an earlier one than the silence", -120, 0],
])("[FLIP-1] a device came back at the contact that ended its silence: %s", (_which, since, at) => {
  const { watch, timers, clock, changes, report } = harness();
  watch.watch(KEY);
  report();
  const last = clock.now();
  timers.advance(70 * MINUTE);
  const heardAt = clock.now();
  const backAt = since === undefined ? undefined : heardAt + since * MINUTE;
  watch.reported(KEY, { heardAt, regular: true, backAt });
  expect(changes.at(-1)?.flip).toEqual({ at: heardAt + at * MINUTE, online: true, last });
});

test("[ONL-2] a young value is late while the farm API sends nothing, without a flip, and fresh again afterwards", () => {
  const { watch, link, changes, report, flips } = harness();
  watch.watch(KEY);
  watch.watch("sensor:2");
  report();
  link.reachable(false);
  expect(changes.at(-1)).toMatchObject({ key: KEY, quality: "late" });
  expect(watch.quality("sensor:2")).toBeNull();
  link.mqtt("up");
  expect(changes.at(-1)).toMatchObject({ key: KEY, quality: "fresh" });
  link.mqtt("off");
  expect(changes.at(-1)).toMatchObject({ key: KEY, quality: "late" });
  link.reachable(true);
  expect(changes.at(-1)).toMatchObject({ key: KEY, quality: "fresh" });
  expect(flips()).toEqual([]);
});

test("[POLL-7] while readings are not stored, silence is not attributed to the device, and there is no flip", () => {
  let doubtful = true;
  const { watch, timers, changes, report, flips } = harness({ reception: { isDoubtful: () => doubtful } });
  watch.watch(KEY);
  report();
  timers.advance(3 * 60 * MINUTE);
  expect(changes.at(-1)).toMatchObject({ quality: "unknown", flip: null });
  report();
  expect(changes.at(-1)).toMatchObject({ quality: "fresh", flip: null });
  timers.advance(3 * 60 * MINUTE);
  doubtful = false;
  watch.review();
  expect(changes.at(-1)).toMatchObject({ quality: "offline", flip: { online: false } });
  expect(flips()).toHaveLength(1);
});

test("[ONL-1] a device that was silent before it was first seen is offline without a flip", () => {
  const { watch, clock, changes } = harness();
  watch.watch(KEY);
  watch.reported(KEY, { heardAt: clock.now() - 90 * MINUTE, regular: true });
  expect(changes).toMatchObject([{ quality: "offline", flip: null }]);
});

test("[ONL-1] a flip that happened while the relay was down is reported after its start", () => {
  const { watch, clock, flips } = harness();
  watch.restore([
    { key: KEY, gaps: [], offline: false },
    { key: "sensor:2", gaps: [], offline: true },
  ]);
  for (const key of [KEY, "sensor:2"]) watch.watch(key);
  watch.reported(KEY, { heardAt: clock.now() - 90 * MINUTE, regular: true });
  watch.reported("sensor:2", { heardAt: clock.now(), regular: true });
  expect(flips().map(({ online }) => online)).toEqual([false, true]);
});

test("[ONL-1] a polled device that was offline before a restart does not return because it is polled again", () => {
  const polled = { reception: { isReceivedSince: () => false }, pollInterval: () => 10_000 };
  for (const begin of ["restored", "shown"] as const) {
    const { watch, clock, asked, flips, changes } = harness(polled);
    const heardAt = clock.now() - 17 * 60 * MINUTE;
    if (begin === "restored") watch.restore([{ key: KEY, gaps: [], offline: true }]);
    watch.watch(KEY, begin === "shown" ? { offline: true, heardAt } : undefined);
    watch.reported(KEY, { heardAt, regular: true });
    expect(asked).toEqual([KEY]);
    watch.answered(KEY);
    watch.review();
    expect(flips()).toEqual([]);
    expect(changes.map(({ quality }) => quality)).toEqual(["offline"]);
    watch.reported(KEY, { heardAt: clock.now(), regular: true });
    expect(flips().map(({ online }) => online)).toEqual([true]);
  }
});

test("[ONL-2] a device's learned rhythm is stored, and applies after a restart", () => {
  const first = harness();
  first.watch.watch(KEY);
  for (let n = 0; n < 4; n += 1) {
    first.report();
    first.timers.advance(120 * MINUTE);
  }
  const kept = first.watch.takeUnpersisted();
  expect(kept).toMatchObject([{ key: KEY, gaps: [120 * MINUTE, 120 * MINUTE, 120 * MINUTE] }]);
  expect(first.watch.takeUnpersisted()).toEqual([]);
  const second = harness();
  second.watch.restore(kept);
  second.watch.watch(KEY);
  second.report();
  second.timers.advance(200 * MINUTE);
  expect(second.flips()).toEqual([]);
  expect(second.watch.quality(KEY)).toBe("fresh");
});

test("[ONL-1] a polled device is polled once at the threshold, and is offline after that answer", () => {
  const { watch, timers, report, asked, flips } = harness({
    reception: { isReceivedSince: () => false },
    pollInterval: () => 10_000,
  });
  watch.watch(KEY);
  report();
  timers.advance(60 * MINUTE);
  watch.review();
  expect(asked).toEqual([KEY]);
  expect(flips()).toEqual([]);
  watch.answered(KEY);
  expect(watch.quality(KEY)).toBe("offline");
  expect(flips()).toEqual([{ online: false, at: 60 * MINUTE }]);
});

test("[POLL-7] if the API cannot be asked at the threshold, the device is unknown, never offline", () => {
  const { watch, timers, report, flips } = harness({ reception: { isReceivedSince: () => false } });
  watch.watch(KEY);
  report();
  watch.failed(KEY);
  expect(watch.quality(KEY)).toBe("fresh");
  timers.advance(60 * MINUTE);
  watch.failed(KEY);
  expect(watch.quality(KEY)).toBe("unknown");
  timers.advance(120 * MINUTE);
  expect(flips()).toEqual([]);
  report();
  expect(watch.quality(KEY)).toBe("fresh");
  expect(flips()).toEqual([]);
});

test("[POLL-5] without access a device is unknown until the API answers for it", () => {
  const { watch, report, changes } = harness();
  watch.watch(KEY);
  report();
  watch.cannotTell(KEY);
  watch.answered(KEY);
  expect(changes.map(({ quality }) => quality)).toEqual(["fresh", "unknown", "fresh"]);
});

test("[ONL-3] with an impossible API clock no device becomes offline", () => {
  let suspect = true;
  const { watch, clock, flips } = harness({ reception: { isDoubtful: () => suspect } });
  watch.watch(KEY);
  watch.reported(KEY, { heardAt: clock.now() - 540 * MINUTE, regular: true });
  expect(watch.quality(KEY)).toBe("unknown");
  suspect = false;
  watch.review();
  expect(watch.quality(KEY)).toBe("offline");
  expect(flips()).toEqual([]);
});

test("[ONL-1] a removed device causes nothing", () => {
  const { watch, timers, report, changes } = harness();
  watch.watch(KEY);
  report();
  watch.forget(KEY);
  timers.advance(120 * MINUTE);
  report();
  expect(changes).toHaveLength(1);
  expect(timers.pending).toBe(0);
});

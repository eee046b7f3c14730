import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeTimers } from "../testing/fake-timers.ts";
import { createPresenceWatch, type PresenceChange, type PresenceParts } from "./presence-watch.ts";

const MINUTE = 60_000;
const KEY = "sensor:1";

function rig(change: Partial<PresenceParts> = {}) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const changes: (PresenceChange & { at: number })[] = [];
  const asked: string[] = [];
  const start = clock.monotonic();
  const watch = createPresenceWatch({
    clock,
    timers,
    pollInterval: () => null,
    heardSince: () => true,
    clockSuspect: () => false,
    doubts: () => false,
    ask: (key) => asked.push(key),
    onChange: (one) => changes.push({ ...one, at: clock.monotonic() - start }),
    ...change,
  });
  const heard = (key = KEY): void => watch.heard(key, { heardAt: clock.now(), regular: true });
  const flips = () => changes.flatMap(({ flip, at }) => (flip ? [{ online: flip.online, at }] : []));
  return { clock, timers, watch, changes, asked, heard, flips };
}

test("[ONL-1] a device goes late and offline at the moment it becomes true, and back at the next sign", () => {
  const { watch, timers, changes, heard, flips, clock } = rig();
  watch.watch(KEY);
  heard();
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
  heard();
  expect(changes.at(-1)).toMatchObject({ quality: "fresh", flip: { online: true, last } });
  expect(flips()).toHaveLength(2);
});

test("[POLL-7] while readings are not stored a silence is not the device's, and no flip", () => {
  let doubtful = true;
  const { watch, timers, changes, heard, flips } = rig({ doubts: () => doubtful });
  watch.watch(KEY);
  heard();
  timers.advance(3 * 60 * MINUTE);
  expect(changes.at(-1)).toMatchObject({ quality: "unknown", flip: null });
  heard();
  expect(changes.at(-1)).toMatchObject({ quality: "fresh", flip: null });
  timers.advance(3 * 60 * MINUTE);
  doubtful = false;
  watch.review();
  expect(changes.at(-1)).toMatchObject({ quality: "offline", flip: { online: false } });
  expect(flips()).toHaveLength(1);
});

test("[ONL-1] a device that was silent before it was first seen is offline without a flip", () => {
  const { watch, clock, changes } = rig();
  watch.watch(KEY);
  watch.heard(KEY, { heardAt: clock.now() - 90 * MINUTE, regular: true });
  expect(changes).toMatchObject([{ quality: "offline", flip: null }]);
});

test("[ONL-1] a flip that happened while the relay was away is told after it is back", () => {
  const { watch, clock, flips } = rig();
  watch.restore([
    { key: KEY, gaps: [], offline: false },
    { key: "sensor:2", gaps: [], offline: true },
  ]);
  for (const key of [KEY, "sensor:2"]) watch.watch(key);
  watch.heard(KEY, { heardAt: clock.now() - 90 * MINUTE, regular: true });
  watch.heard("sensor:2", { heardAt: clock.now(), regular: true });
  expect(flips().map(({ online }) => online)).toEqual([false, true]);
});

test("[ONL-1] a polled device that was offline before a restart has not come back because it is asked about anew", () => {
  const polled = { heardSince: () => false, pollInterval: () => 10_000 };
  for (const begin of ["restored", "shown"] as const) {
    const { watch, clock, asked, flips, changes } = rig(polled);
    const heardAt = clock.now() - 17 * 60 * MINUTE;
    if (begin === "restored") watch.restore([{ key: KEY, gaps: [], offline: true }]);
    watch.watch(KEY, begin === "shown" ? { offline: true, heardAt } : undefined);
    watch.heard(KEY, { heardAt, regular: true });
    expect(asked).toEqual([KEY]);
    watch.answered(KEY);
    watch.review();
    expect(flips()).toEqual([]);
    expect(changes.map(({ quality }) => quality)).toEqual(["offline"]);
    watch.heard(KEY, { heardAt: clock.now(), regular: true });
    expect(flips().map(({ online }) => online)).toEqual([true]);
  }
});

test("[ONL-2] what was learned of a device's rhythm is kept, and holds after a restart", () => {
  const first = rig();
  first.watch.watch(KEY);
  for (let n = 0; n < 4; n += 1) {
    first.heard();
    first.timers.advance(120 * MINUTE);
  }
  const kept = first.watch.takeUnkept();
  expect(kept).toMatchObject([{ key: KEY, gaps: [120 * MINUTE, 120 * MINUTE, 120 * MINUTE] }]);
  expect(first.watch.takeUnkept()).toEqual([]);
  const second = rig();
  second.watch.restore(kept);
  second.watch.watch(KEY);
  second.heard();
  second.timers.advance(200 * MINUTE);
  expect(second.flips()).toEqual([]);
  expect(second.watch.quality(KEY)).toBe("fresh");
});

test("[ONL-1] a polled device is asked about once at the threshold, and is offline by that answer", () => {
  const { watch, timers, heard, asked, flips } = rig({ heardSince: () => false, pollInterval: () => 10_000 });
  watch.watch(KEY);
  heard();
  timers.advance(60 * MINUTE);
  watch.review();
  expect(asked).toEqual([KEY]);
  expect(flips()).toEqual([]);
  watch.answered(KEY);
  expect(watch.quality(KEY)).toBe("offline");
  expect(flips()).toEqual([{ online: false, at: 60 * MINUTE }]);
});

test("[POLL-7] where the API cannot be asked at the threshold, the device is unknown, never offline", () => {
  const { watch, timers, heard, flips } = rig({ heardSince: () => false });
  watch.watch(KEY);
  heard();
  watch.failed(KEY);
  expect(watch.quality(KEY)).toBe("fresh");
  timers.advance(60 * MINUTE);
  watch.failed(KEY);
  expect(watch.quality(KEY)).toBe("unknown");
  timers.advance(120 * MINUTE);
  expect(flips()).toEqual([]);
  heard();
  expect(watch.quality(KEY)).toBe("fresh");
  expect(flips()).toEqual([]);
});

test("[POLL-5] without access a device is unknown until it is answered for", () => {
  const { watch, heard, changes } = rig();
  watch.watch(KEY);
  heard();
  watch.cannotTell(KEY);
  watch.answered(KEY);
  expect(changes.map(({ quality }) => quality)).toEqual(["fresh", "unknown", "fresh"]);
});

test("[ONL-3] with a clock that cannot be right, nobody is called offline for it", () => {
  let suspect = true;
  const { watch, clock, flips } = rig({ clockSuspect: () => suspect });
  watch.watch(KEY);
  watch.heard(KEY, { heardAt: clock.now() - 540 * MINUTE, regular: true });
  expect(watch.quality(KEY)).toBe("unknown");
  suspect = false;
  watch.review();
  expect(watch.quality(KEY)).toBe("offline");
  expect(flips()).toEqual([]);
});

test("[ONL-1] a device that is gone sets off nothing", () => {
  const { watch, timers, heard, changes } = rig();
  watch.watch(KEY);
  heard();
  watch.forget(KEY);
  timers.advance(120 * MINUTE);
  heard();
  expect(changes).toHaveLength(1);
  expect(timers.pending).toBe(0);
});

import type { SensorValue } from "@mulkko/shared/live/devices";
import type { DisplayPage } from "@mulkko/shared/rest/displays";
import { describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { buildFleetAlarm } from "../../testing/build-fleet-alarm.ts";
import { buildLiveFarm, channelEntry, sensorEntry } from "../testing/build-live-farm.ts";
import {
  HOLD_MS,
  held,
  isHeld,
  pagesWithContent,
  pinnedPage,
  shownPage,
  startRotation,
  step,
  turned,
} from "./rotation.ts";

const PAGES: readonly DisplayPage[] = ["overview", "valves", "alarms"];
const plan = { pages: PAGES, turnMs: 20_000, pinned: null };

describe("rotating pages", () => {
  const ALL: readonly DisplayPage[] = ["overview", "valves", "map", "trends", "alarms"];
  const place = { latitude: 36.2, longitude: 127.1 };

  it("[wall] are those with content", () => {
    const [id, value] = sensorEntry("s1");
    const placed: [string, SensorValue] = [id, { ...value, info: { ...value.info, ...place } }];
    const nowhere: [string, SensorValue] = [
      id,
      { ...value, info: { ...value.info, latitude: null, longitude: null } },
    ];
    expect(pagesWithContent(ALL, buildLiveFarm([placed], [channelEntry("c1")]))).toEqual(ALL);
    expect(pagesWithContent(ALL, buildLiveFarm([placed]))).toEqual(["overview", "map", "trends", "alarms"]);
    expect(pagesWithContent(ALL, buildLiveFarm([nowhere]))).toEqual(["overview", "trends", "alarms"]);
  });

  it("[wall] are all of them while the farm is unknown, and if none would be left", () => {
    expect(pagesWithContent(ALL, buildLiveFarm([]))).toEqual(ALL);
    expect(pagesWithContent(["map"], buildLiveFarm([], [channelEntry("c1")]))).toEqual(["map"]);
  });
});

describe("page rotation", () => {
  it("[wall] shows each page for its time, then the next, and starts another lap after the last", () => {
    let rotation = startRotation(0);
    const seen: string[] = [];
    for (let now = 0; now <= 80_000; now += 1_000) {
      rotation = turned(rotation, plan, now);
      const page = `${shownPage(rotation, plan)} ${rotation.lap}`;
      if (seen.at(-1) !== page) seen.push(page);
    }
    expect(seen).toEqual(["overview 0", "valves 0", "alarms 0", "overview 1", "valves 1"]);
  });

  it("[wall] keeps a single page and continues its laps", () => {
    const one = { ...plan, pages: PAGES.slice(0, 1) };
    const rotation = turned(startRotation(0), one, 20_000);
    expect([shownPage(rotation, one), rotation.lap]).toEqual(["overview", 1]);
  });

  it("[wall] holds the page for a minute after a touch", () => {
    const rotation = held(startRotation(0), 19_000);
    expect(isHeld(rotation, 19_000 + HOLD_MS - 1)).toBe(true);
    expect(turned(rotation, plan, 19_000 + HOLD_MS - 1)).toBe(rotation);
    expect(shownPage(turned(rotation, plan, 19_000 + HOLD_MS), plan)).toBe("valves");
  });

  it("[wall] moves forward and back by keys, wrapping around", () => {
    const first = startRotation(0);
    expect(shownPage(step(first, plan, 1, 5), plan)).toBe("valves");
    expect(step(first, plan, -1, 5)).toMatchObject({ index: 2, lap: 0, turnedAt: 5 });
  });

  it("[wall] pins the page of the most urgent alarm, and shows it for its whole time afterwards", () => {
    const pinned = { ...plan, pinned: "valves" as const };
    const rotation = turned(startRotation(0), pinned, 300_000);
    expect(shownPage(rotation, pinned)).toBe("valves");
    expect(turned(rotation, plan, 310_000)).toBe(rotation);
  });

  it("[wall] continues the laps of a pinned page, except after a touch, so that all its parts are shown", () => {
    const pinned = { ...plan, pinned: "valves" as const };
    let rotation = startRotation(0);
    for (let now = 0; now <= 45_000; now += 1_000) rotation = turned(rotation, pinned, now);
    expect([shownPage(rotation, pinned), rotation.lap, rotation.index]).toEqual(["valves", 2, 0]);
    expect(turned(held(rotation, 59_000), pinned, 61_000).lap).toBe(2);
  });

  it("[wall] stays on an existing page when pages are removed", () => {
    const rotation = step(startRotation(0), plan, 2, 0);
    expect(shownPage(rotation, { ...plan, pages: ["map"] })).toBe("map");
  });
});

describe("page of the most urgent alarm", () => {
  const p1 = { priority: 1, active: true, ack: null } as const;
  it("[wall] is the valves page for a valve, the overview for anything else", () => {
    expect(pinnedPage([buildAlarm({ ...p1, key: "channel:c1" })], PAGES)).toBe("valves");
    expect(pinnedPage([buildAlarm({ ...p1, key: "sensor:s1" })], PAGES)).toBe("overview");
  });

  it("[WARN-7] is the fleet's for a P1 of another account, unless the own farm's is worse", () => {
    const pages: readonly DisplayPage[] = [...PAGES, "fleet"];
    const other = buildFleetAlarm({ type: "open-too-long" });
    expect(pinnedPage([], pages, other)).toBe("fleet");
    const lower = buildAlarm({ ...p1, key: "channel:c1", type: "command-unconfirmed" });
    expect(pinnedPage([lower], pages, other)).toBe("fleet");
    expect(
      pinnedPage([{ ...lower, type: "open-too-long", raisedAt: "2026-11-22T04:00:00Z" }], pages, other),
    ).toBe("valves");
    expect(pinnedPage([], pages, { ...other, priority: 2 })).toBeNull();
  });

  it("[wall] is one of the screen's pages", () => {
    expect(pinnedPage([buildAlarm({ ...p1, key: "channel:c1" })], ["map", "alarms"])).toBe("alarms");
    expect(pinnedPage([buildAlarm({ ...p1, key: "channel:c1" })], ["map"])).toBe("map");
  });

  it("[wall] is none after the alarm is acknowledged, has ended, or is less urgent", () => {
    const ack = { by: { id: 1, nickname: "해오름" }, at: "2026-11-21T05:00:00.000Z", comment: null };
    for (const change of [{ ack }, { active: false }, { priority: 2 as const }]) {
      expect(pinnedPage([buildAlarm({ ...p1, key: "channel:c1", ...change })], PAGES)).toBeNull();
    }
  });
});

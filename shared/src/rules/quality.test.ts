import { expect, it } from "vitest";
import { seededRandom } from "../testing/random.ts";
import {
  drawnQuality,
  fieldQuality,
  lateAfter,
  medianInterval,
  offlineAfter,
  qualityOfAges,
  rememberGap,
  valueTime,
  worseQuality,
} from "./quality.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it("[ONL-1] calls a device offline from 60 minutes or 2.5 intervals on, at most 26 hours", () => {
  expect(offlineAfter(null)).toBe(HOUR);
  expect(offlineAfter(5 * MINUTE)).toBe(HOUR);
  expect(offlineAfter(HOUR)).toBe(2.5 * HOUR);
  expect(offlineAfter(24 * HOUR)).toBe(26 * HOUR);
});

it("[ONL-2] calls a device late after two intervals, two poll intervals or 2 minutes, whichever is longest", () => {
  expect(lateAfter({ interval: 10_000, pollInterval: null })).toBe(2 * MINUTE);
  expect(lateAfter({ interval: 5 * MINUTE, pollInterval: MINUTE })).toBe(10 * MINUTE);
  expect(lateAfter({ interval: MINUTE, pollInterval: 5 * MINUTE })).toBe(10 * MINUTE);
});

it("[ONL-2] waits 15 minutes while the interval is unknown", () => {
  expect(lateAfter({ interval: null, pollInterval: null })).toBe(15 * MINUTE);
});

it("[ONL-2] becomes late before it becomes offline", () => {
  const cadence = { interval: 20 * HOUR, pollInterval: null };
  expect(lateAfter(cadence)).toBe(offlineAfter(20 * HOUR));
  const hourly = { interval: null, pollInterval: HOUR };
  expect(lateAfter(hourly)).toBe(HOUR);
  expect(qualityOfAges({ contact: 0, measured: null }, hourly)).toEqual({
    quality: "fresh",
    changesInMs: HOUR,
  });
});

it("[ONL-1] names the moment at which silence alone changes the quality", () => {
  const cadence = { interval: 5 * MINUTE, pollInterval: null };
  expect(qualityOfAges({ contact: 0, measured: null }, cadence)).toEqual({
    quality: "fresh",
    changesInMs: 10 * MINUTE,
  });
  expect(qualityOfAges({ contact: 10 * MINUTE, measured: null }, cadence)).toEqual({
    quality: "late",
    changesInMs: 50 * MINUTE,
  });
  expect(qualityOfAges({ contact: HOUR, measured: null }, cadence)).toEqual({
    quality: "offline",
    changesInMs: null,
  });
});

it("[ONL-2] learns the interval as the median of the last eight gaps", () => {
  expect(medianInterval([])).toBeNull();
  expect(medianInterval([10])).toBeNull();
  expect(medianInterval([10, 20])).toBe(15);
  expect(medianInterval([10, 1000, 12])).toBe(12);
  let gaps: number[] = [];
  for (let gap = 1; gap <= 12; gap += 1) gaps = rememberGap(gaps, gap);
  expect(gaps).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
});

it("[ONL-2] draws the worse of the key's quality and the link's", () => {
  expect(worseQuality("fresh", "unknown")).toBe("unknown");
  expect(worseQuality("offline", "late")).toBe("offline");
  expect(worseQuality(null, "unknown")).toBeNull();
});

it("[ONL-2] prefers a lost connection to a young value, and a longer silence to the lost connection", () => {
  expect(drawnQuality({ quality: "fresh", link: "lost" })).toBe("lost");
  expect(drawnQuality({ quality: "late", link: "lost" })).toBe("lost");
  expect(drawnQuality({ quality: "offline", link: "lost" })).toBe("offline");
  expect(drawnQuality({ quality: "fresh", link: "up" })).toBe("fresh");
  expect(drawnQuality({ quality: "fresh", link: null })).toBe("fresh");
  expect(drawnQuality({ quality: null, link: "lost" })).toBeNull();
});

it("[ONL-2] calls a field late that is an hour older than the newest one of its sensor, and no younger one", () => {
  const value = {
    at: "2026-11-21T04:00:00.000Z",
    fieldTimes: { a: "2026-11-21T03:00:00.000Z", b: "2026-11-21T03:00:01.000Z" },
  };
  expect(fieldQuality("fresh", value, "a")).toBe("late");
  expect(fieldQuality("fresh", value, "b")).toBe("fresh");
  expect(fieldQuality("fresh", value, "c")).toBe("fresh");
  expect(fieldQuality("offline", value, "a")).toBe("offline");
  expect(fieldQuality(null, value, "a")).toBeNull();
  expect(fieldQuality("fresh", { at: null }, "a")).toBe("fresh");
});

it("[AGE-1] a value is late by the older of contact and measurement, and only silence makes a device offline", () => {
  const cadence = { interval: 5 * MINUTE, pollInterval: null };
  expect(qualityOfAges({ contact: 7_000, measured: 7_000 }, cadence).quality).toBe("fresh");
  expect(qualityOfAges({ contact: 7_000, measured: 25 * HOUR }, cadence)).toEqual({
    quality: "late",
    changesInMs: HOUR - 7_000,
  });
  expect(qualityOfAges({ contact: HOUR, measured: 0 }, cadence).quality).toBe("offline");
  // A device with a regular but long interval is not late because it reports rarely.
  const rare = { interval: 12 * HOUR, pollInterval: null };
  expect(qualityOfAges({ contact: 11 * HOUR, measured: 11.5 * HOUR }, rare).quality).toBe("fresh");
});

it("[AGE-1] generated ages: the drawn age is the older one, and dimmed exactly from the threshold of late", () => {
  const random = seededRandom(20_261_121);
  const now = Date.UTC(2026, 10, 28, 4);
  const iso = (at: number): string => new Date(at).toISOString();
  for (let run = 0; run < 5_000; run += 1) {
    const contact = Math.floor(random() ** 4 * 30 * HOUR);
    const measured = random() < 0.2 ? null : Math.floor(random() ** 4 * 40 * HOUR);
    const interval = random() < 0.3 ? null : Math.floor(random() ** 3 * 12 * HOUR);
    const pollInterval = random() < 0.5 ? null : Math.floor(random() * HOUR);
    const cadence = { interval, pollInterval };
    const { quality, changesInMs } = qualityOfAges({ contact, measured }, cadence);
    const about = JSON.stringify({ run, contact, measured, interval, pollInterval });
    const shownAt = valueTime({
      at: measured === null ? null : iso(now - measured),
      heardAt: iso(now - contact),
    });
    const age = now - Date.parse(shownAt ?? "");
    expect(age, about).toBe(Math.max(contact, measured ?? 0));
    if (quality !== "offline") expect(quality, about).toBe(age < lateAfter(cadence) ? "fresh" : "late");
    expect(quality === "offline", about).toBe(contact >= offlineAfter(interval));
    if (changesInMs === null) continue;
    const later = { contact: contact + changesInMs, measured: measured && measured + changesInMs };
    expect(qualityOfAges(later, cadence).quality, about).not.toBe(quality);
  }
});

it("[AGE-1] the age of a field is that of its own measurement", () => {
  const value = {
    at: "2026-11-21T04:00:00.000Z",
    heardAt: "2026-11-21T04:00:07.000Z",
    fieldTimes: { a: "2026-11-21T01:00:00.000Z" },
  };
  expect(valueTime(value)).toBe(value.at);
  expect(valueTime(value, "a")).toBe(value.fieldTimes.a);
  expect(valueTime(value, "b")).toBe(value.at);
  expect(valueTime({ at: value.at, heardAt: "2026-11-21T03:00:00.000Z" })).toBe("2026-11-21T03:00:00.000Z");
  expect(valueTime({ at: null, heardAt: value.heardAt })).toBe(value.heardAt);
  expect(valueTime({ at: null, heardAt: null })).toBeNull();
});

import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { createDiskForecast, readDisk } from "./disk.ts";

const HOUR = 3_600_000;
const GB = 1e9;

test("[storage] reads the free space of a folder's file system, and null for a missing folder", async () => {
  const disk = await readDisk(tmpdir());
  expect(disk?.totalBytes).toBeGreaterThan(disk?.freeBytes ?? Number.POSITIVE_INFINITY);
  expect(await readDisk("/nowhere/at/all")).toBeNull();
});

test("[storage] forecasts the days until a disk is full at the current rate", () => {
  const forecast = createDiskForecast();
  for (let hour = 0; hour <= 24; hour += 1) forecast.note(hour * HOUR, 10 * GB - hour * (GB / 24));
  expect(forecast.daysLeft()).toBe(9);
});

test("[storage] forecasts nothing in the first hours, nor for a disk that does not fill", () => {
  const forecast = createDiskForecast();
  forecast.note(0, 10 * GB);
  forecast.note(HOUR, 9 * GB);
  expect(forecast.daysLeft()).toBeNull();
  const steady = createDiskForecast();
  for (let minute = 0; minute < 600; minute += 1) {
    steady.note(minute * 60_000, 10 * GB - (minute % 60) * 1e6);
  }
  expect(steady.daysLeft()).toBeNull();
});

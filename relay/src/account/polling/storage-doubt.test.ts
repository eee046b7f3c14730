import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createFakeLink } from "../../../testing/fake-link.ts";
import { createStorageDoubt } from "./storage-doubt.ts";

const HOUR = 3_600_000;

test("[POLL-7] while readings are not stored, and for an hour afterwards, silence is not attributed to devices", async () => {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const link = createFakeLink(clock.now());
  const changes: number[] = [];
  const doubt = createStorageDoubt({ link, clock, timers, onChanged: () => void changes.push(clock.now()) });
  const began = clock.now();
  expect(doubt.doubts(began)).toBe(false);
  link.become({ notStoring: { fault: "disk-full", since: began } });
  await timers.pass(3 * HOUR);
  expect(doubt.doubts(began - HOUR / 2)).toBe(true);
  // A device that had already been silent for an hour.
  expect(doubt.doubts(began - HOUR)).toBe(false);
  link.become({ notStoring: null });
  await timers.pass(HOUR - 1_000);
  expect(doubt.doubts(began)).toBe(true);
  await timers.pass(2_000);
  expect(doubt.doubts(began)).toBe(false);
  expect(changes).toHaveLength(2);
});

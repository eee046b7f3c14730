import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createFakeLink } from "../../testing/fake-link.ts";
import { createSilence } from "./silence.ts";

const HOUR = 3_600_000;

test("[POLL-7] while readings are not stored, and for an hour afterwards, silence is not attributed to devices", async () => {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const link = createFakeLink(clock.now());
  const changes: number[] = [];
  let suspected: number | null = null;
  const silence = createSilence({
    link,
    coverage: { coveredSince: () => true },
    suspicion: { suspectedOffset: () => suspected },
    clock,
    timers,
    onChanged: () => void changes.push(clock.now()),
  });
  const began = clock.now();
  expect(silence.isDoubtful(began)).toBe(false);
  link.become({ notStoring: { fault: "disk-full", since: began } });
  await timers.pass(3 * HOUR);
  expect(silence.isDoubtful(began - HOUR / 2)).toBe(true);
  // A device that had already been silent for an hour.
  expect(silence.isDoubtful(began - HOUR)).toBe(false);
  link.become({ notStoring: null });
  await timers.pass(HOUR - 1_000);
  expect(silence.isDoubtful(began)).toBe(true);
  await timers.pass(2_000);
  expect(silence.isDoubtful(began)).toBe(false);
  expect(changes).toHaveLength(2);
  // ONL-3: with a wrong clock of the API no silence is attributed to a device.
  suspected = 3_600_000;
  expect(silence.isDoubtful(null)).toBe(true);
});

import { expect, test } from "vitest";
import { createClockSuspicion } from "./clock-suspicion.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

test("[ONL-3] three new logs from the future are the clock's fault, two are not", () => {
  const suspicion = createClockSuspicion();
  suspicion.note("1", -9 * HOUR, false);
  suspicion.note("2", -9 * HOUR + MINUTE, false);
  expect(suspicion.suspectedOffset()).toBeNull();
  suspicion.note("3", -9 * HOUR, false);
  expect(suspicion.suspectedOffset()).toBe(9 * HOUR - MINUTE);
});

test("[ONL-3] new logs that all come in old by the same half-hours are the zone's fault", () => {
  const suspicion = createClockSuspicion();
  for (const device of ["1", "2", "3"]) suspicion.note(device, 9.5 * HOUR + MINUTE, true);
  expect(suspicion.suspectedOffset()).toBe(-9.5 * HOUR);
});

test("[ONL-3] devices that fell silent together are silent, not behind", () => {
  const suspicion = createClockSuspicion();
  for (const device of ["1", "2", "3"]) suspicion.note(device, 9 * HOUR, false);
  expect(suspicion.suspectedOffset()).toBeNull();
});

test("[ONL-3] one log at its time clears the clock", () => {
  const suspicion = createClockSuspicion();
  for (const device of ["1", "2", "3"]) suspicion.note(device, 9 * HOUR, true);
  suspicion.note("4", MINUTE, true);
  expect(suspicion.suspectedOffset()).toBeNull();
  suspicion.forget("4");
  expect(suspicion.suspectedOffset()).toBe(-9 * HOUR);
});

test("[ONL-3] a Date that is off by more than five minutes is believed at once, and no more once it is right", () => {
  const suspicion = createClockSuspicion();
  suspicion.noteDate(4 * MINUTE);
  expect(suspicion.suspectedOffset()).toBeNull();
  suspicion.noteDate(-70 * MINUTE);
  expect(suspicion.suspectedOffset()).toBe(-70 * MINUTE);
  suspicion.noteDate(-400);
  expect(suspicion.suspectedOffset()).toBeNull();
});

test("[ONL-3] what the logs say counts before the Date: it is their times that are shown", () => {
  const suspicion = createClockSuspicion();
  suspicion.noteDate(10 * MINUTE);
  for (const device of ["1", "2", "3"]) suspicion.note(device, -9 * HOUR, false);
  expect(suspicion.suspectedOffset()).toBe(9 * HOUR);
});

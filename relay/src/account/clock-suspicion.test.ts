import { expect, test } from "vitest";
import { createClockSuspicion } from "./clock-suspicion.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

test("[ONL-3] attributes three new logs from the future to the clock, but not two", () => {
  const suspicion = createClockSuspicion();
  suspicion.note("1", -9 * HOUR, false);
  suspicion.note("2", -9 * HOUR + MINUTE, false);
  expect(suspicion.suspectedOffset()).toBeNull();
  suspicion.note("3", -9 * HOUR, false);
  expect(suspicion.suspectedOffset()).toBe(9 * HOUR);
});

test("[ONL-3] measures the offset on reporting devices, ignoring silent ones and a wrong device clock", () => {
  const suspicion = createClockSuspicion();
  suspicion.note("silent", -8 * HOUR, false);
  suspicion.note("years ahead", -9_000 * HOUR, true);
  for (const device of ["1", "2", "3"]) suspicion.note(device, -9 * HOUR + 4_000, true);
  expect(suspicion.suspectedOffset()).toBe(9 * HOUR - 4_000);
});

test("[ONL-3] attributes new logs that all lag by the same half-hours to the time zone", () => {
  const suspicion = createClockSuspicion();
  for (const device of ["1", "2", "3"]) suspicion.note(device, 9.5 * HOUR + MINUTE, true);
  expect(suspicion.suspectedOffset()).toBe(-9.5 * HOUR);
});

test("[ONL-3] treats devices that fell silent together as silent, not as lagging", () => {
  const suspicion = createClockSuspicion();
  for (const device of ["1", "2", "3"]) suspicion.note(device, 9 * HOUR, false);
  expect(suspicion.suspectedOffset()).toBeNull();
});

test("[ONL-3] one log with the right time clears the suspicion", () => {
  const suspicion = createClockSuspicion();
  for (const device of ["1", "2", "3"]) suspicion.note(device, 9 * HOUR, true);
  suspicion.note("4", MINUTE, true);
  expect(suspicion.suspectedOffset()).toBeNull();
  suspicion.forget("4");
  expect(suspicion.suspectedOffset()).toBe(-9 * HOUR);
});

test("[ONL-3] trusts a Date that is off by more than five minutes at once, until it is right again", () => {
  const suspicion = createClockSuspicion();
  suspicion.noteDate(4 * MINUTE);
  expect(suspicion.suspectedOffset()).toBeNull();
  suspicion.noteDate(-70 * MINUTE);
  expect(suspicion.suspectedOffset()).toBe(-70 * MINUTE);
  suspicion.noteDate(-400);
  expect(suspicion.suspectedOffset()).toBeNull();
});

test("[ONL-3] prefers the times of the logs to the Date, because those times are displayed", () => {
  const suspicion = createClockSuspicion();
  suspicion.noteDate(10 * MINUTE);
  for (const device of ["1", "2", "3"]) suspicion.note(device, -9 * HOUR, false);
  expect(suspicion.suspectedOffset()).toBe(9 * HOUR);
});

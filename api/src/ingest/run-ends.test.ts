import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { describe, expect, test } from "vitest";
import { decodeChannelState } from "../decode/channel-state.ts";
import { RunEnds } from "./run-ends.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ARRIVAL = Date.UTC(2026, 10, 28, 4);
const iso = (at: number): string => new Date(at).toISOString();
const zoneless = (at: number): string => iso(at).slice(0, 19);

/** A message as it arrives; `isBelieved`: the judgement of its device's clock. */
function endOf(
  message: { at?: unknown; runUntil?: unknown },
  { isBelieved = false, zone = "Asia/Seoul", receivedAt = ARRIVAL, ends = new RunEnds() } = {},
): number | null {
  const payload = Buffer.from(JSON.stringify({ onoff: 1, ...message }));
  const decoded = decodeChannelState(payload, receivedAt, createApiTimeZone(zone));
  if (!decoded.ok) throw new Error(decoded.reason);
  const { time, end } = decoded;
  const ownAt = isBelieved && time.kind === "stated" ? time.at : null;
  return ends.place("one", end, { receivedAt, isBelieved, ownAt });
}

describe("the end of a run by a wrong clock", () => {
  test.each([
    ["nine hours ahead", iso(ARRIVAL + 9 * HOUR), iso(ARRIVAL + 9 * HOUR + 10 * MINUTE)],
    ["half an hour behind", iso(ARRIVAL - 30 * MINUTE), iso(ARRIVAL - 20 * MINUTE)],
    ["of 1970", "1970-01-01T00:00:14Z", "1970-01-01T00:10:14Z"],
    ["of an unknown zone", "2026-11-28T23:59:00", "2026-11-29T00:09:00"],
    [
      "of local time as UTC, and without a zone",
      iso(ARRIVAL + 9 * HOUR),
      zoneless(ARRIVAL + 9 * HOUR + 10 * MINUTE),
    ],
    ["in seconds", (ARRIVAL + 9 * HOUR) / 1_000, (ARRIVAL + 9 * HOUR + 10 * MINUTE) / 1_000],
  ])("[ORD-7] %s is its arrival and the time that is left", (_what, at, runUntil) => {
    expect(endOf({ at, runUntil })).toBe(ARRIVAL + 10 * MINUTE);
  });

  test.each([-4 * MINUTE, -3_000, 0, 999])(
    "[ORD-7] by a clock that is %i ms ahead is as it says",
    (ahead) => {
      const message = { at: iso(ARRIVAL + ahead), runUntil: iso(ARRIVAL + ahead + 10 * MINUTE) };
      expect(endOf(message, { isBelieved: true })).toBe(ARRIVAL + ahead + 10 * MINUTE);
    },
  );

  test.each([1_001, 1_500, 4_000, 10_000, MINUTE, 5 * MINUTE - 1])(
    "[ORD-7] by a clock that is %i ms ahead is its arrival and the time that is left",
    (ahead) => {
      const message = { at: iso(ARRIVAL + ahead), runUntil: iso(ARRIVAL + ahead + 10 * MINUTE) };
      expect(endOf(message, { isBelieved: true })).toBe(ARRIVAL + 10 * MINUTE);
    },
  );

  test.each([
    ["an unreadable clock", "soon", iso(ARRIVAL + 10 * MINUTE)],
    ["a clock without a zone, and an end with one", "2026-11-28T23:59:00", iso(ARRIVAL + 10 * MINUTE)],
    ["an unreadable end", "1970-01-01T00:00:14Z", "soon"],
    ["another clock", "1970-01-01T00:00:14Z", iso(ARRIVAL + 10 * MINUTE)],
    ["a run of more than a day", "1970-01-01T00:00:14Z", "1970-01-03T00:00:14Z"],
  ])("[ORD-7] cannot be derived from %s", (_what, at, runUntil) => {
    expect(endOf({ at, runUntil })).toBeNull();
  });

  test("[ORD-7] is the same end in each report of the run, whatever their transit times", () => {
    const ends = new RunEnds();
    const runUntil = "1970-01-01T00:10:14Z";
    const report = (second: number, transit: number) =>
      endOf(
        { at: iso((14 + second) * 1_000), runUntil },
        { ends, receivedAt: ARRIVAL + second * 1_000 + transit },
      );
    expect([report(0, 40), report(20, 3_000), report(40, 7)]).toEqual(
      Array(3).fill(ARRIVAL + 10 * MINUTE + 40),
    );
    expect(
      endOf({ at: iso(74_000), runUntil: "1970-01-01T00:10:19Z" }, { ends, receivedAt: ARRIVAL + MINUTE }),
    ).toBe(ARRIVAL + 10 * MINUTE + 5_000);
  });

  test("[ORD-7] is not later with each repetition where the clock stands still", () => {
    const ends = new RunEnds();
    const message = { at: "1970-01-01T00:00:14Z", runUntil: "1970-01-01T00:10:14Z" };
    const report = (receivedAt: number) => endOf(message, { ends, receivedAt });
    expect(report(ARRIVAL)).toBe(ARRIVAL + 10 * MINUTE);
    expect(report(ARRIVAL + 5 * MINUTE)).toBe(ARRIVAL + 10 * MINUTE);
    expect(endOf({}, { ends })).toBeNull();
    expect(report(ARRIVAL + 20 * MINUTE)).toBe(ARRIVAL + 30 * MINUTE);
  });
});

describe("the end of a run by a clock that is believed", () => {
  const end = ARRIVAL + 10 * MINUTE;
  test.each([
    ["with an offset", "2026-11-28T13:00:00+09:00", "2026-11-28T13:10:00+09:00"],
    ["of another form than its message", ARRIVAL, "2026-11-28T04:10:00Z"],
    ["in the API's zone, without saying so", "2026-11-28T13:00:00", "2026-11-28 13:10:00"],
    ["in UTC, without saying so", "2026-11-28T04:00:00", "2026-11-28T04:10:00"],
    ["in UTC, for 10 minutes of a message with a zone", iso(ARRIVAL), "2026-11-28T04:10:00"],
    ["in the API's zone, where the message has none", undefined, "2026-11-28T13:10:00"],
  ])("[ORD-7] is read %s", (_what, at, runUntil) => {
    expect(endOf({ at, runUntil }, { isBelieved: true })).toBe(end);
  });

  test("[ORD-7] is corrected by the lead of a clock that is some minutes ahead", () => {
    const at = iso(ARRIVAL + 2 * MINUTE);
    expect(endOf({ at, runUntil: iso(ARRIVAL + 12 * MINUTE) }, { isBelieved: true })).toBe(end);
  });

  test("[ORD-7] is null where it cannot be an end", () => {
    for (const runUntil of ["1970-01-01T00:10:14Z", iso(ARRIVAL + 48 * HOUR), "soon"])
      expect(endOf({ at: iso(ARRIVAL), runUntil }, { isBelieved: true })).toBeNull();
  });

  test("[ORD-7] in a repeated hour is the first that is not before its message", () => {
    const receivedAt = Date.UTC(2026, 9, 25, 0, 55);
    const berlin = { isBelieved: true, zone: "Europe/Berlin", receivedAt };
    expect(endOf({ at: iso(receivedAt), runUntil: "2026-10-25T02:05:00" }, berlin)).toBe(
      receivedAt + 10 * MINUTE,
    );
  });
});

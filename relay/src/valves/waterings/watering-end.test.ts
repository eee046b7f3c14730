import { describe, expect, test } from "vitest";
import { ACCEPTED, buildClose, buildOpen, buildReport, s } from "../../../testing/intents.ts";
import type { ChannelReport } from "../../account/channel-report.ts";
import { causeOf, endReasonOf, wateringEnd } from "./watering-end.ts";

const opened = (change: Partial<ChannelReport> = {}): ChannelReport => buildReport({ onoff: 1, ...change });
const closed = (change: Partial<ChannelReport> = {}): ChannelReport => buildReport({ onoff: 2, ...change });
const unproven = buildOpen({ ...ACCEPTED, firstSentAt: s(1), sentIds: ["command-1"] });
const NO_MOISTURE = { now: null, upperBound: null };

describe("the cause of an opening", () => {
  test("[CMD-6] is the person whose command id it carries, also while a mode is active", () => {
    const ours = opened({ commandId: "command-1", activeMode: "automatic" });
    expect(causeOf(unproven, ours)).toBe("person");
  });

  test("[CMD-6] is the person once the command is proven", () => {
    const proven = { ...unproven, proof: "api" } as const;
    expect(causeOf(proven, opened({ activeMode: "period" }))).toBe("person");
  });

  test("[W-14] is not the person whose run is over: a mode has opened the valve after it", () => {
    const over = { ...unproven, proof: "id", overSince: s(600) } as const;
    expect(causeOf(over, opened({ at: s(620), activeMode: "period" }))).toBe("period");
    expect(causeOf(over, opened({ at: s(620) }))).toBe("external");
  });

  test("[CMD-6] is not the person if it carries another command's id", () => {
    expect(causeOf(unproven, opened({ commandId: "other" }))).toBe("external");
    expect(causeOf(unproven, opened({ commandId: "other", activeMode: "period" }))).toBe("period");
  });

  test("[CMD-6] without an id is the person from the first send on, and not before", () => {
    expect(causeOf(unproven, opened({ at: s(1) + 1, heardAt: s(1) + 1 }))).toBe("person");
    expect(causeOf(unproven, opened({ via: "mqtt", at: s(0.5), activeMode: "automatic" }))).toBe("automatic");
    expect(causeOf(unproven, opened({ askedAt: s(0.9) }))).toBe("external");
    expect(causeOf(unproven, opened({ askedAt: s(1) }))).toBe("person");
  });

  test("[CMD-6] uses the store's clock if the API's differs", () => {
    const fast = { ...unproven, offsetMs: 60_000 };
    expect(causeOf(fast, opened({ via: "mqtt", at: s(60.5) }))).toBe("external");
    expect(causeOf(fast, opened({ via: "mqtt", at: s(61) }))).toBe("person");
  });

  test("[CMD-6] is not a person whose command was certainly not carried out", () => {
    const refused = buildOpen({ state: "refused", sends: 1, firstSentAt: s(0), answer: "refused" });
    expect(causeOf(refused, opened({ askedAt: s(5) }))).toBe("external");
    expect(causeOf(buildOpen(), opened({ askedAt: s(5) }))).toBe("external");
  });

  test("[CMD-6] is the person of an opening that arrived after a close replaced it", () => {
    const close = buildClose({ earlierOpens: { commandIds: ["command-0"], expiresAt: s(20) } });
    expect(causeOf(close, opened({ commandId: "command-0" }))).toBe("person");
    expect(causeOf(close, opened({ commandId: "other" }))).toBe("external");
  });

  test("[CMD-6] is the person of a replaced opening also if the API names no commands, unless a mode is active", () => {
    const close = buildClose({ earlierOpens: { commandIds: ["command-0"], expiresAt: s(20) } });
    expect(causeOf(close, opened({ commandId: null }))).toBe("person");
    expect(causeOf(close, opened({ commandId: null, activeMode: "automatic" }))).toBe("automatic");
    expect(causeOf(buildClose(), opened({ commandId: null }))).toBe("external");
  });

  test.each(["automatic", "period", "reservation"] as const)(
    "[CMD-6] is the mode %s where no user pressed and its flag is set",
    (activeMode) => {
      expect(causeOf(null, opened({ activeMode }))).toBe(activeMode);
    },
  );

  test("[CMD-6] is external without a command and without an active mode", () => {
    expect(causeOf(null, opened())).toBe("external");
  });
});

describe("the end of a watering", () => {
  const run = buildOpen({ ...ACCEPTED, state: "confirmed", proof: "time" });

  test("[WAT-1] is a person's close, or the deadline if the relay closed", () => {
    expect(endReasonOf(buildClose(), "person", closed(), NO_MOISTURE)).toBe("closed");
    expect(endReasonOf(buildClose({ why: "late-open" }), "person", closed(), NO_MOISTURE)).toBe("closed");
    expect(endReasonOf(buildClose({ why: "run-end" }), "person", closed(), NO_MOISTURE)).toBe("deadline");
  });

  test("[WAT-1] is done if the device closed at the run's end or up to 5 s before it; earlier it was closed by hand", () => {
    const at = (moment: number) =>
      endReasonOf(run, "person", closed({ via: "mqtt", at: moment }), NO_MOISTURE);
    expect(at(s(600))).toBe("done");
    expect(at(s(595))).toBe("done");
    expect(at(s(594.9))).toBe("closed");
  });

  test("[WAT-1] uses the start of the read if the API gives no time", () => {
    expect(endReasonOf(run, "person", closed({ askedAt: s(596) }), NO_MOISTURE)).toBe("done");
    expect(endReasonOf(run, "person", closed({ askedAt: s(594) }), NO_MOISTURE)).toBe("closed");
  });

  test("[WAT-1] uses the store's clock if the API's differs", () => {
    const fast = { ...run, offsetMs: 60_000 };
    const report = closed({ via: "mqtt", at: s(640) });
    expect(endReasonOf(fast, "person", report, NO_MOISTURE)).toBe("closed");
    expect(endReasonOf(run, "person", report, NO_MOISTURE)).toBe("done");
  });

  test("[WAT-1] of automatic watering is the upper bound once moisture has reached it, else done", () => {
    const at = (now: number | null, upperBound: number | null) =>
      endReasonOf(null, "automatic", closed(), { now, upperBound });
    expect(at(40, 40)).toBe("upperBound");
    expect(at(39.9, 40)).toBe("done");
    expect(at(null, 40)).toBe("done");
    expect(at(40, null)).toBe("done");
    expect(endReasonOf(null, "period", closed(), { now: 50, upperBound: 40 })).toBe("done");
  });

  test("[WAT-1] of water opened at the controller is a close at the controller", () => {
    for (const cause of ["external", "person"] as const) {
      expect(endReasonOf(null, cause, closed(), { now: 50, upperBound: 40 })).toBe("closed");
    }
  });

  test("[WAT-1] is lost if a read finds the valve closed after over a quarter of an hour without a look", () => {
    const [short, long] = [15 * 60_000, 15 * 60_000 + 1];
    expect(endReasonOf(null, "period", closed(), NO_MOISTURE, short)).toBe("done");
    expect(endReasonOf(null, "period", closed(), NO_MOISTURE, long)).toBe("lost");
    // A device's own report proves the end, and the relay's own intent knows the reason.
    expect(endReasonOf(null, "period", closed({ via: "mqtt" }), NO_MOISTURE, long)).toBe("done");
    expect(endReasonOf(buildClose(), "person", closed(), NO_MOISTURE, long)).toBe("closed");
  });
});

describe("the end of a run", () => {
  const PLANNED = s(300);
  test.each([
    ["reported in time", PLANNED, s(299), s(302), { end: s(302), confirmedAt: null }],
    ["reported a little late", PLANNED, s(290), s(330), { end: PLANNED, confirmedAt: null }],
    ["reported long afterwards", PLANNED, s(120), s(660), { end: PLANNED, confirmedAt: s(660) }],
    ["of water seen running after it", PLANNED, s(400), s(660), { end: s(660), confirmedAt: null }],
    ["closed early", PLANNED, s(100), s(160), { end: s(160), confirmedAt: null }],
    ["that no device keeps", null, s(120), s(660), { end: s(660), confirmedAt: null }],
  ])("[WAT-1] %s", (_, planned, lastSeen, at, expected) => {
    expect(wateringEnd(planned, lastSeen, at)).toEqual(expected);
  });
});

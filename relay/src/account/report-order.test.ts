import { describe, expect, test } from "vitest";
import { buildReport, buildSeen, s } from "../../testing/intents.ts";
import {
  type ChannelReport,
  isNewer,
  isOvertaken,
  latestSaid,
  passing,
  saidAt,
  seeing,
} from "./channel-report.ts";

/** Build an MQTT message about one time that arrives at another. */
const message = (at: number | null, arrivedAt: number): Partial<ChannelReport> => ({
  via: "mqtt",
  at,
  heardAt: at,
  askedAt: arrivedAt,
});

describe("a later message", () => {
  test.each([
    ["of a newer moment replaces the one before", message(s(2), s(2)), message(s(3), s(3)), true],
    [
      "of the same moment replaces it, as nothing speaks against",
      message(s(2), s(2)),
      message(s(2), s(9)),
      true,
    ],
    ["of an older moment does not turn the valve back", message(s(2), s(2)), message(s(1.999), s(9)), false],
    ["without a time goes by its arrival", message(s(2), s(2)), message(null, s(3)), true],
    ["with a time replaces one without", message(null, s(2)), message(s(1), s(3)), true],
  ])("[RUN-6] %s", (_what, before, after, newer) => {
    expect(isNewer(buildReport(after), buildSeen(before, s(2)))).toBe(newer);
  });
});

describe("a read", () => {
  const before = buildSeen(message(s(2), s(2.1)), s(2.1));

  test("[RUN-6] started after the last report arrived shows the newest state of the API, and replaces it", () => {
    expect(isNewer(buildReport({ askedAt: s(2.1) }), before)).toBe(true);
    expect(isNewer(buildReport({ askedAt: s(2.1), at: s(2) }), before)).toBe(true);
  });

  test("[RUN-6] started before the last report arrived replaces it only with a newer time of its own", () => {
    expect(isNewer(buildReport({ askedAt: s(2) }), before)).toBe(false);
    expect(isNewer(buildReport({ askedAt: s(2), at: s(2) }), before)).toBe(false);
    expect(isNewer(buildReport({ askedAt: s(2), at: s(2.05) }), before)).toBe(true);
  });

  test("[RUN-6] of an older time never replaces, whenever it was started", () => {
    expect(isNewer(buildReport({ askedAt: s(60), at: s(1) }), before)).toBe(false);
  });

  test("[RUN-6] in whole seconds may refer to any moment of its second", () => {
    const within = buildSeen(message(s(2.7), s(2.8)), s(2.8));
    expect(isNewer(buildReport({ askedAt: s(3), at: s(2) }), within)).toBe(true);
    expect(isNewer(buildReport({ askedAt: s(3), at: s(2) + 1 }), within)).toBe(false);
    expect(isNewer(buildReport(message(s(2), s(3))), within)).toBe(false);
  });
});

test("[RUN-6] the first report of a channel is always new", () => {
  expect(isNewer(buildReport({ askedAt: 0, at: 0 }), null)).toBe(true);
});

test("[ORD-1] a message that waited since before a takeover is overtaken by the state taken over, a read never", () => {
  const ofBefore = buildReport(message(s(1), s(60)));
  expect(isOvertaken(ofBefore, s(30))).toBe(true);
  expect(isOvertaken({ ...ofBefore, heardAt: s(30) }, s(30))).toBe(false);
  expect(isOvertaken({ ...ofBefore, heardAt: null }, s(30))).toBe(false);
  expect(isOvertaken(ofBefore, Number.NEGATIVE_INFINITY)).toBe(false);
  expect(isOvertaken(buildReport({ heardAt: s(1), askedAt: s(60) }), s(30))).toBe(false);
});

test("[ONL-1] a report refers to its own time, else to the device's last report, else to no time", () => {
  expect(saidAt(buildReport({ at: s(1), heardAt: s(2) }))).toBe(s(1));
  expect(saidAt(buildReport({ heardAt: s(2) }))).toBe(s(2));
  expect(saidAt(buildReport())).toBeNull();
  expect(latestSaid(buildReport())).toBeNull();
  expect(latestSaid(buildReport({ at: s(1) }))).toBe(s(1) + 999);
  expect(latestSaid(buildReport({ at: s(1) + 1 }))).toBe(s(1) + 1);
  expect(latestSaid(buildReport(message(s(1), s(1))))).toBe(s(1));
});

test("[ONL-6] a report from the future does not block later ones", () => {
  const ahead = buildSeen({ askedAt: s(1), at: s(7_200), heardAt: s(7_200) });
  const next = buildReport({ askedAt: s(3), at: s(2) });
  expect(isNewer(next, ahead)).toBe(false);
  expect(isNewer(next, ahead, (at) => at <= s(60))).toBe(true);
});

describe("a report that the farm API numbers", () => {
  const numbered = (arrival: number, at: number, via: "mqtt" | "poll" = "mqtt", askedAt = s(9)) =>
    ({ arrival, at, heardAt: at, via, askedAt }) as const;

  test.each([
    ["with a higher number is newer, however old its time is", numbered(8, s(-36_000)), true],
    ["with the same number shows the same state again", numbered(7, s(2)), true],
    ["with a lower number is a late message, however new its time is", numbered(6, s(60)), false],
    ["with a lower number in a later read is of a restored database", numbered(6, s(2), "poll"), true],
    ["with a lower number in an earlier read is a late answer", numbered(6, s(2), "poll", s(1)), false],
  ])("[ORD-1] %s", (_what, after, newer) => {
    const before = buildSeen(numbered(7, s(2)), s(2));
    expect(isNewer(buildReport(after), before)).toBe(newer);
  });
});

describe("a read of an API without numbers", () => {
  const row = (at: number, onoff: 1 | 2, askedAt: number) => buildReport({ at, heardAt: at, onoff, askedAt });

  test("[ORD-6] is newer with another row, also where the API's clock was set back", () => {
    const first = seeing(row(s(1_800), 2, s(1)), s(1), null);
    const back = row(s(5), 1, s(5));
    expect(isNewer(back, first)).toBe(true);
    expect(isNewer(row(s(5), 1, s(9)), seeing(back, s(5), first))).toBe(true);
  });

  test("[ORD-6] with the row of before is not newer than a message that came between", () => {
    const first = seeing(row(s(1), 2, s(1)), s(1), null);
    const between = seeing(
      buildReport({ at: s(3), heardAt: s(3), onoff: 1, via: "mqtt", askedAt: s(3) }),
      s(3),
      first,
    );
    expect(isNewer(row(s(1), 2, s(9)), between)).toBe(false);
    expect(passing(row(s(1), 2, s(9)), between)?.report).toBe(between.report);
  });
});

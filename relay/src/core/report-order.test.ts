import { describe, expect, test } from "vitest";
import type { ChannelReport } from "../ports/channel-report.ts";
import { buildReport, buildSeen, s } from "../testing/intents.ts";
import { isNewer, latestSaid, saidAt } from "./report-order.ts";

/** A message of MQTT that speaks of one moment and arrives at another. */
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

  test("[RUN-6] begun after the last report arrived shows the newest that the API knows, and replaces it", () => {
    expect(isNewer(buildReport({ askedAt: s(2.1) }), before)).toBe(true);
    expect(isNewer(buildReport({ askedAt: s(2.1), at: s(2) }), before)).toBe(true);
  });

  test("[RUN-6] begun before the last report arrived replaces it only with a newer time of its own", () => {
    expect(isNewer(buildReport({ askedAt: s(2) }), before)).toBe(false);
    expect(isNewer(buildReport({ askedAt: s(2), at: s(2) }), before)).toBe(false);
    expect(isNewer(buildReport({ askedAt: s(2), at: s(2.05) }), before)).toBe(true);
  });

  test("[RUN-6] of an older moment never replaces, whenever it was begun", () => {
    expect(isNewer(buildReport({ askedAt: s(60), at: s(1) }), before)).toBe(false);
  });

  test("[RUN-6] in whole seconds may speak of any moment of its second", () => {
    const within = buildSeen(message(s(2.7), s(2.8)), s(2.8));
    expect(isNewer(buildReport({ askedAt: s(3), at: s(2) }), within)).toBe(true);
    expect(isNewer(buildReport({ askedAt: s(3), at: s(2) + 1 }), within)).toBe(false);
    expect(isNewer(buildReport(message(s(2), s(3))), within)).toBe(false);
  });
});

test("[RUN-6] the first report of a channel is always news", () => {
  expect(isNewer(buildReport({ askedAt: 0, at: 0 }), null)).toBe(true);
});

test("[ONL-1] a report speaks of when it was so, else of when the device was heard, else of nothing", () => {
  expect(saidAt(buildReport({ at: s(1), heardAt: s(2) }))).toBe(s(1));
  expect(saidAt(buildReport({ heardAt: s(2) }))).toBe(s(2));
  expect(saidAt(buildReport())).toBeNull();
  expect(latestSaid(buildReport())).toBeNull();
  expect(latestSaid(buildReport({ at: s(1) }))).toBe(s(1) + 999);
  expect(latestSaid(buildReport({ at: s(1) + 1 }))).toBe(s(1) + 1);
  expect(latestSaid(buildReport(message(s(1), s(1))))).toBe(s(1));
});

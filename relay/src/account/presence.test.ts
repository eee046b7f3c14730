import { expect, test } from "vitest";
import { judge, NEVER_SEEN, type Presence, recordHeartbeat } from "./presence.ts";

const MINUTE = 60_000;
const presenceAfter = (times: readonly number[], from: Presence = NEVER_SEEN): Presence =>
  times.reduce(
    (presence, at) => recordHeartbeat(presence, { heardAt: at, regular: true }, { wall: at, monotonic: at }),
    from,
  );
const every = (gap: number, count: number): number[] => Array.from({ length: count }, (_, n) => n * gap);

test("[ONL-2] the interval is the median of the last eight gaps", () => {
  const presence = presenceAfter([
    ...every(MINUTE, 4),
    ...every(10 * MINUTE, 10).map((at) => at + 60 * MINUTE),
  ]);
  expect(presence.gaps).toEqual(Array(8).fill(10 * MINUTE));
});

test("[ONL-2] late readings and the channels of one report do not count as rhythm", () => {
  const presence = presenceAfter(every(MINUTE, 4));
  const burst = presenceAfter([3 * MINUTE + 5, 3 * MINUTE + 10], presence);
  expect(burst.gaps).toEqual(presence.gaps);
  const late = recordHeartbeat(
    burst,
    { heardAt: 3 * MINUTE + 900, regular: false },
    { wall: 0, monotonic: 0 },
  );
  expect(late.gaps).toEqual(presence.gaps);
  expect(late.heardAt).toBe(3 * MINUTE + 900);
});

test("[ONL-2] a device that never reported has no quality", () => {
  expect(judge(NEVER_SEEN, 0, { pollInterval: null, trusted: true })).toMatchObject({ quality: null });
});

test.each([
  [MINUTE, null, "fresh"],
  [2 * MINUTE, null, "late"],
  [2 * MINUTE, 5 * MINUTE, "fresh"],
  [10 * MINUTE, 5 * MINUTE, "late"],
  [59 * MINUTE, null, "late"],
  [60 * MINUTE, null, "offline"],
])(
  "[ONL-1] %i ms after the last of one a minute, polled every %s ms, a device is %s",
  (age, pollInterval, quality) => {
    const presence = presenceAfter(every(MINUTE, 9));
    expect(judge(presence, 8 * MINUTE + age, { pollInterval, trusted: true }).quality).toBe(quality);
  },
);

test("[ONL-1] a device that reports every twelve hours is not offline after one hour", () => {
  const presence = presenceAfter(every(720 * MINUTE, 4));
  const after = (minutes: number) =>
    judge(presence, 3 * 720 * MINUTE + minutes * MINUTE, { pollInterval: null, trusted: true }).quality;
  expect(after(61)).toBe("fresh");
  expect(after(25 * 60)).toBe("late");
  expect(after(26 * 60)).toBe("offline");
});

test("[ONL-1] a polled device is offline when an answer from after the threshold shows the old log", () => {
  const presence = presenceAfter([0]);
  const how = { pollInterval: 10_000, trusted: false };
  const now = 60 * MINUTE;
  expect(judge(presence, now, how)).toMatchObject({ quality: "late", asks: true });
  expect(judge({ ...presence, answeredMonotonic: now - 1 }, now, how).asks).toBe(true);
  expect(judge({ ...presence, answeredMonotonic: now }, now, how)).toMatchObject({
    quality: "offline",
    asks: false,
  });
});

test("[RUN-4] a jump of the wall clock changes no age", () => {
  const presence = recordHeartbeat(
    NEVER_SEEN,
    { heardAt: 1_000, regular: true },
    { wall: 1_000, monotonic: 50 },
  );
  expect(judge(presence, 50 + MINUTE, { pollInterval: null, trusted: true }).quality).toBe("fresh");
});

test.each([-90_000, 20 * MINUTE])(
  "[ONL-3] a report whose time is of a clock that is %i ms ahead is as young as it is",
  (aheadMs) => {
    const reports = every(MINUTE, 9);
    const presence = reports.reduce(
      (before, at) =>
        recordHeartbeat(
          before,
          { heardAt: at + aheadMs, regular: true, aheadMs, measuredAt: at },
          { wall: at + 20_000, monotonic: at + 20_000 },
        ),
      NEVER_SEEN,
    );
    expect(presence.gaps).toEqual(Array(8).fill(MINUTE));
    const { quality, changesInMs } = judge(presence, 8 * MINUTE + 59_000, {
      pollInterval: null,
      trusted: true,
    });
    expect([quality, changesInMs]).toEqual(["fresh", 61_000]);
  },
);

test("[ORD-1] a contact by a clock that was set since is not older than the contact before", () => {
  const presence = presenceAfter(every(MINUTE, 9));
  const wall = 200 * 24 * 60 * MINUTE;
  const after = recordHeartbeat(
    presence,
    { heardAt: 9 * MINUTE, regular: true },
    { wall: wall + 9 * MINUTE, monotonic: 9 * MINUTE },
  );
  const { quality } = judge(after, 9 * MINUTE, { pollInterval: null, trusted: true });
  expect([after.heardAt, quality]).toEqual([9 * MINUTE, "fresh"]);
});

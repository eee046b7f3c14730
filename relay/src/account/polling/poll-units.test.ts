import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, settle } from "@mulkko/shared/testing/fake-timers";
import { seededRandom } from "@mulkko/shared/testing/random";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../../testing/captured-log.ts";
import { StoreUnavailableError } from "../../store/errors.ts";
import { UpstreamUnreachableError } from "../../upstream/errors.ts";
import { type PollUnit, PollUnits } from "./poll-units.ts";

/** @param ago ms since the previous owner polled the unit `u`; absent: it did not */
function harness(ago?: number) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const start = clock.monotonic();
  let stretch = 1;
  const claimed: string[] = [];
  const log = createCapturedLog();
  const claims: { refused: Error | null; takeMs: number } = { refused: null, takeMs: 0 };
  let unclaimed = 0;
  const units = new PollUnits({
    clock,
    timers,
    random: seededRandom(7),
    log,
    stretch: () => stretch,
    claims: {
      async claim(name) {
        if (claims.refused) throw claims.refused;
        claimed.push(name);
        if (claims.takeMs > 0) await new Promise<void>((resolve) => timers.after(claims.takeMs, resolve));
      },
      ago: () => ago,
      forget: () => undefined,
    },
    onUnclaimed() {
      unclaimed += 1;
    },
  });
  const asked: number[] = [];
  const unit = (change: Partial<PollUnit> = {}): PollUnit => ({
    name: "u",
    interval: () => 10_000,
    stretches: () => true,
    urgent: () => false,
    ask: async () => {
      asked.push(clock.monotonic() - start);
    },
    ...change,
  });
  return {
    clock,
    timers,
    log,
    claims,
    unclaimed: () => unclaimed,
    units,
    asked,
    claimed,
    unit,
    stretchTo(factor: number) {
      stretch = factor;
      units.reschedule();
    },
  };
}

test("[POLL-1] a unit is polled once per interval, whatever is rescheduled meanwhile", async () => {
  const { units, unit, timers, asked } = harness();
  units.add(unit(), "now");
  for (let n = 0; n < 60; n += 1) {
    await timers.pass(1_000);
    units.reschedule();
  }
  expect(asked).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
});

test("[POLL-1] a unit without an interval is not polled until it has one", async () => {
  const { units, unit, timers, asked } = harness();
  let every: number | null = null;
  units.add(unit({ interval: () => every }), "now");
  await timers.pass(60_000);
  expect(asked).toEqual([]);
  every = 5_000;
  units.reschedule();
  await timers.pass(15_000);
  expect(asked.length).toBeGreaterThanOrEqual(2);
});

test("[POLL-1] intervals stretch by one factor, except those of open channels", async () => {
  const { units, unit, timers, stretchTo } = harness();
  const counts = { plain: 0, open: 0 };
  units.add(unit({ name: "plain", ask: async () => void counts.plain++ }), "now");
  units.add(unit({ name: "open", stretches: () => false, ask: async () => void counts.open++ }), "now");
  await timers.pass(0);
  stretchTo(2);
  await timers.pass(40_000);
  expect(counts).toEqual({ plain: 3, open: 5 });
  expect(units.demand()).toEqual({ stretchable: 0.1, fixed: 0.1 });
});

test("[POLL-2] each request is recorded before it is sent", async () => {
  const { units, unit, claimed, timers } = harness();
  let claimedBefore: string[] = [];
  units.add(
    unit({
      ask: async () => {
        claimedBefore = [...claimed];
      },
    }),
    "now",
  );
  await timers.pass(1);
  expect(claimedBefore).toEqual(["u"]);
});

test("[POLL-2] a unit of the owner before counts on no report: it is due within the interval of an account without any", async () => {
  for (const ago of [0, 20_000, 59_000, 61_000, 500_000]) {
    const { units, unit, timers, asked } = harness(ago);
    units.add(unit({ interval: (isUnreported) => (isUnreported ? 60_000 : 600_000) }), "now");
    await timers.pass(60_000);
    expect(asked, `${ago}`).toHaveLength(1);
    // Not twice in an interval, also across the takeover.
    expect((asked[0] ?? 0) + ago).toBeGreaterThanOrEqual(60_000);
    await timers.pass(539_000);
    expect(asked, `${ago}`).toHaveLength(1);
    await timers.pass(61_000);
    expect(asked, `${ago}`).toHaveLength(2);
  }
});

test("[POLL-3] first requests are spread over the interval", async () => {
  const { units, unit, timers, clock } = harness();
  const times: number[] = [];
  const start = clock.monotonic();
  for (let n = 0; n < 100; n += 1) {
    units.add(unit({ name: `u${n}`, ask: async () => void times.push(clock.monotonic() - start) }), "spread");
  }
  await timers.pass(10_000);
  expect(times).toHaveLength(100);
  const quarters = [0, 1, 2, 3].map((n) => times.filter((at) => Math.floor(at / 2_500) === n).length);
  expect(Math.min(...quarters)).toBeGreaterThan(10);
});

test("[POLL-4] a received message restarts the interval", async () => {
  const { units, unit, timers, asked } = harness();
  units.add(unit(), "now");
  for (let n = 0; n < 6; n += 1) {
    await timers.pass(6_000);
    units.reset("u");
  }
  await timers.pass(10_000);
  expect(asked).toEqual([0, 46_000]);
});

test("[POLL-6] a unit requested soon is due then, also after a reset or a new interval", async () => {
  const { units, unit, timers, asked } = harness();
  units.add(unit({ interval: () => 100_000 }), "now");
  await timers.pass(1_000);
  units.due("u", 2_000);
  units.reset("u");
  units.reschedule();
  units.due("u", 5_000);
  await timers.pass(90_000);
  expect(asked).toEqual([0, 3_000]);
});

test("[POLL-8] a second write during the request makes the unit due once more", async () => {
  const { units, unit, timers } = harness();
  const limiters: (() => void)[] = [];
  units.add(unit({ ask: () => new Promise<void>((resolve) => limiters.push(resolve)) }), "now");
  await timers.pass(1);
  units.due("u", 0);
  units.due("u", 0);
  await timers.pass(1_000);
  expect(limiters).toHaveLength(1);
  limiters[0]?.();
  await settle();
  await timers.pass(1);
  expect(limiters).toHaveLength(2);
});

test("[POLL-3] a failed unit waits for its interval, or until the API is known to be back", async () => {
  const { units, unit, timers } = harness();
  const errors: string[] = [];
  let count = 0;
  units.add(
    unit({
      ask: async () => {
        count += 1;
        throw new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
      },
      failed: (error) => void errors.push(error.name),
    }),
    "now",
  );
  await timers.pass(9_000);
  expect([count, errors]).toEqual([1, ["UpstreamUnreachableError"]]);
  units.retryFailed(500);
  await timers.pass(500);
  expect(count).toBe(2);
});

test("[NODE-3] a unit whose claim the store does not accept is not polled, and counted without a log entry", async () => {
  const { units, unit, timers, asked, claims, log, unclaimed } = harness();
  claims.refused = new StoreUnavailableError("Redis is away");
  units.add(unit(), "now");
  await timers.pass(25_000);
  expect([asked, unclaimed()]).toEqual([[], 3]);
  expect(log.lines.filter(({ level }) => level !== "debug")).toEqual([]);
  claims.refused = new TypeError("a fault of ours");
  await timers.pass(10_000);
  expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  expect(unclaimed()).toBe(3);
});

test("[POLL-1] repeated requests for a unit keep a minimum gap", async () => {
  const { units, unit, timers, asked } = harness();
  units.add(unit({ interval: () => 600_000 }), "now");
  for (let n = 0; n < 30; n += 1) {
    await timers.pass(1_000);
    units.dueAfter("u", 10_000);
  }
  expect(asked).toEqual([0, 10_000, 20_000, 30_000]);
});

test("[POLL-1] a removed unit is no longer polled", async () => {
  const { units, unit, timers, asked } = harness();
  units.add(unit(), "now");
  await timers.pass(1);
  units.remove("u");
  await timers.pass(60_000);
  expect(asked).toHaveLength(1);
  expect(timers.pending).toBe(0);
});

test("[NODE-5] an owner that paused after its claim claims the unit again before it polls", async () => {
  const { units, unit, timers, claims, claimed, asked } = harness();
  claims.takeMs = 7_000;
  units.add(unit(), "now");
  await timers.pass(0);
  expect(claimed).toEqual(["u"]);
  // Another node took the shard while the answer to the claim was pending.
  claims.refused = new Error("fence 3 is stale");
  await timers.pass(7_000);
  expect(asked).toEqual([]);

  claims.refused = null;
  claims.takeMs = 900;
  await timers.pass(10_900);
  expect(claimed).toEqual(["u", "u"]);
  expect(asked.length).toBe(1);
});

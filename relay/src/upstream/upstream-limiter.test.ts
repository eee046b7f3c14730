import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, settle } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { UpstreamStatusError } from "./errors.ts";
import { createUpstreamLimiter, IN_FLIGHT } from "./upstream-limiter.ts";

function harness(perSecond = 1_000) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  let reachable = true;
  const limiter = createUpstreamLimiter({ clock, timers, perSecond, reachable: () => reachable });
  const open: (() => void)[] = [];
  const asked: string[] = [];
  const ask = (name = "poll") => {
    asked.push(name);
    return new Promise<void>((resolve) => open.push(resolve));
  };
  return {
    clock,
    timers,
    limiter,
    open,
    asked,
    ask,
    reach(is: boolean) {
      reachable = is;
    },
  };
}

test("[POLL-3] at most 64 requests are in flight, and urgent ones are first", async () => {
  const { limiter, ask, open, asked } = harness();
  const all: Promise<void>[] = [];
  for (let n = 0; n < IN_FLIGHT + 10; n += 1) all.push(limiter.pass(() => ask()));
  all.push(limiter.pass(() => ask("urgent"), { urgent: true }));
  await settle();
  expect(open).toHaveLength(IN_FLIGHT);
  open[0]?.();
  await settle();
  expect(asked.at(-1)).toBe("urgent");
  for (let n = 1; n < IN_FLIGHT + 11; n += 1) {
    open[n]?.();
    await settle();
  }
  await Promise.all(all);
  expect(open).toHaveLength(IN_FLIGHT + 11);
});

test("[POLL-1] all units together stay within UPSTREAM_RPS", async () => {
  const { limiter, timers } = harness(10);
  let done = 0;
  const all = Array.from({ length: 50 }, () =>
    limiter.pass(async () => {
      done += 1;
    }),
  );
  await settle();
  expect(done).toBe(10);
  await timers.pass(1_000);
  expect(done).toBe(20);
  await timers.pass(3_000);
  expect(done).toBe(50);
  await Promise.all(all);
});

test("[POLL-3] Retry-After is respected, for five minutes at most", async () => {
  const { limiter, timers } = harness();
  let done = 0;
  const refused = new UpstreamStatusError("too many", 429, "too-many-requests", 3_600_000);
  await expect(limiter.pass(() => Promise.reject(refused))).rejects.toBe(refused);
  expect(limiter.paused).toBe(true);
  const later = limiter.pass(async () => {
    done += 1;
  });
  await timers.pass(299_000);
  expect(done).toBe(0);
  await timers.pass(1_000);
  await later;
  expect(limiter.paused).toBe(false);
});

test("[POLL-3] while the API is unavailable nothing is asked, including waiting requests", async () => {
  const { limiter, ask, open, asked, reach } = harness();
  for (let n = 0; n < IN_FLIGHT; n += 1) void limiter.pass(() => ask());
  await settle();
  const waiting = limiter.pass(() => ask("waiting"));
  reach(false);
  await expect(limiter.pass(() => ask("new"))).rejects.toMatchObject({ why: "not-asked" });
  open[0]?.();
  await expect(waiting).rejects.toMatchObject({ why: "not-asked", mayHaveExecuted: false });
  expect(asked).not.toContain("waiting");
});

test("[POLL-3] closing rejects waiting requests", async () => {
  const { limiter, ask } = harness();
  for (let n = 0; n < IN_FLIGHT; n += 1) void limiter.pass(() => ask());
  await settle();
  const waiting = limiter.pass(() => ask());
  limiter.close();
  await expect(waiting).rejects.toMatchObject({ why: "not-asked" });
});

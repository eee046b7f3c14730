import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeTimers } from "../testing/fake-timers.ts";
import { passTime, settle } from "../testing/settle.ts";
import { UpstreamStatusError } from "./errors.ts";
import { createGate, IN_FLIGHT } from "./gate.ts";

function rig(perSecond = 1_000) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  let reachable = true;
  const gate = createGate({ clock, timers, perSecond, reachable: () => reachable });
  const open: (() => void)[] = [];
  const asked: string[] = [];
  const ask = (name = "poll") => {
    asked.push(name);
    return new Promise<void>((resolve) => open.push(resolve));
  };
  return {
    clock,
    timers,
    gate,
    open,
    asked,
    ask,
    reach(is: boolean) {
      reachable = is;
    },
  };
}

test("[POLL-3] at most 64 requests are in flight, and the urgent go first", async () => {
  const { gate, ask, open, asked } = rig();
  const all: Promise<void>[] = [];
  for (let n = 0; n < IN_FLIGHT + 10; n += 1) all.push(gate.pass(() => ask()));
  all.push(gate.pass(() => ask("urgent"), { urgent: true }));
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

test("[POLL-1] all units together keep to UPSTREAM_RPS", async () => {
  const { gate, timers } = rig(10);
  let done = 0;
  const all = Array.from({ length: 50 }, () =>
    gate.pass(async () => {
      done += 1;
    }),
  );
  await settle();
  expect(done).toBe(10);
  await passTime(timers, 1_000);
  expect(done).toBe(20);
  await passTime(timers, 3_000);
  expect(done).toBe(50);
  await Promise.all(all);
});

test("[POLL-3] Retry-After is obeyed, for five minutes at most", async () => {
  const { gate, timers } = rig();
  let done = 0;
  const refused = new UpstreamStatusError("too many", 429, "too-many-requests", 3_600_000);
  await expect(gate.pass(() => Promise.reject(refused))).rejects.toBe(refused);
  expect(gate.paused).toBe(true);
  const later = gate.pass(async () => {
    done += 1;
  });
  await passTime(timers, 299_000);
  expect(done).toBe(0);
  await passTime(timers, 1_000);
  await later;
  expect(gate.paused).toBe(false);
});

test("[POLL-3] while the API is away nothing is asked, also of what was waiting", async () => {
  const { gate, ask, open, asked, reach } = rig();
  for (let n = 0; n < IN_FLIGHT; n += 1) void gate.pass(() => ask());
  await settle();
  const waiting = gate.pass(() => ask("waiting"));
  reach(false);
  await expect(gate.pass(() => ask("new"))).rejects.toMatchObject({ why: "not-asked" });
  open[0]?.();
  await expect(waiting).rejects.toMatchObject({ why: "not-asked", mayHaveExecuted: false });
  expect(asked).not.toContain("waiting");
});

test("[POLL-3] closing ends what waits", async () => {
  const { gate, ask } = rig();
  for (let n = 0; n < IN_FLIGHT; n += 1) void gate.pass(() => ask());
  await settle();
  const waiting = gate.pass(() => ask());
  gate.close();
  await expect(waiting).rejects.toMatchObject({ why: "not-asked" });
});

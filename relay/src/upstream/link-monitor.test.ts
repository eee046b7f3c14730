import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeTimers } from "../testing/fake-timers.ts";
import { createLinkMonitor } from "./link-monitor.ts";

function rig() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const link = createLinkMonitor({
    clock,
    timers,
    mqtt: "down",
    store: "embedded",
    onError: (error) => {
      throw error;
    },
  });
  const heard: string[] = [];
  link.listen(({ upstream, mqtt, store }) => heard.push(`${upstream} ${mqtt} ${store}`));
  return { clock, timers, link, heard };
}

test("[ONL-4] each change of the way to the API, its broker and the store is told once", () => {
  const { link, heard, clock } = rig();
  clock.advance(1_000);
  link.reachable(true);
  link.reachable(true);
  link.mqtt("up");
  link.mqtt("up");
  link.store("down");
  link.reachable(false);
  expect(heard).toEqual(["up down embedded", "up up embedded", "up up down", "down up down"]);
  expect(link.state.since).toBe(clock.now());
});

test("[ONL-4] a fault degrades the link until 30 s have passed without one", () => {
  const { link, timers } = rig();
  link.reachable(true);
  link.stumbled();
  timers.advance(20_000);
  link.stumbled();
  timers.advance(29_999);
  expect(link.state.upstream).toBe("degraded");
  timers.advance(1);
  expect(link.state.upstream).toBe("up");
});

test("[POLL-1] stretched polling shows as degraded", () => {
  const { link } = rig();
  link.reachable(true);
  link.strained(true);
  expect(link.state.upstream).toBe("degraded");
  link.strained(false);
  expect(link.state.upstream).toBe("up");
});

test("[ONL-3] a clock that cannot be right is told with its offset, until it is right", () => {
  const { link, heard } = rig();
  link.reachable(true);
  link.clockSuspect(-32_400_000);
  expect(link.state).toMatchObject({ upstream: "clock", suspectedOffset: -32_400_000 });
  link.clockSuspect(-32_401_500);
  expect(heard).toHaveLength(2);
  link.clockSuspect(-3_600_000);
  expect(link.state.suspectedOffset).toBe(-3_600_000);
  link.reachable(false);
  expect(link.state).toMatchObject({ upstream: "down", suspectedOffset: null });
  link.reachable(true);
  link.clockSuspect(null);
  expect(link.state).toMatchObject({ upstream: "up", suspectedOffset: null });
});

test("[ONL-4] when the API was heard last is known, and is no news by itself", () => {
  const { link, heard, clock } = rig();
  expect(link.state.heardAt).toBeNull();
  link.heard();
  expect(link.state.heardAt).toBe(clock.now());
  expect(heard).toEqual([]);
});

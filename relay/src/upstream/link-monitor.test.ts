import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createLinkMonitor } from "./link-monitor.ts";

function harness() {
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
  const states: string[] = [];
  link.listen(({ upstream, mqtt, store }) => states.push(`${upstream} ${mqtt} ${store}`));
  return { clock, timers, link, states };
}

test("[ONL-4] each change of the link to the API, its broker and the store is reported once", () => {
  const { link, states, clock } = harness();
  clock.advance(1_000);
  link.reachable(true);
  link.reachable(true);
  link.mqtt("up");
  link.mqtt("up");
  link.store("down");
  link.reachable(false);
  expect(states).toEqual(["up down embedded", "up up embedded", "up up down", "down up down"]);
  expect(link.state.since).toBe(clock.now());
});

test("[ONL-4] a fault degrades the link until 30 s have passed without one", () => {
  const { link, timers } = harness();
  link.reachable(true);
  link.callFailed();
  timers.advance(20_000);
  link.callFailed();
  timers.advance(29_999);
  expect(link.state.upstream).toBe("degraded");
  timers.advance(1);
  expect(link.state.upstream).toBe("up");
});

test("[ONL-4] a farm API that starts after the relay degrades no link", () => {
  const { link } = harness();
  link.callFailed();
  expect(link.state.upstream).toBe("down");
  link.reachable(true);
  expect(link.state.upstream).toBe("up");
});

test("[POLL-1] stretched polling counts as degraded", () => {
  const { link } = harness();
  link.reachable(true);
  link.pollsSlowed(true);
  expect(link.state.upstream).toBe("degraded");
  link.pollsSlowed(false);
  expect(link.state.upstream).toBe("up");
});

test("[ONL-3] a clock that cannot be right is reported with its offset, until it is right", () => {
  const { link, states } = harness();
  link.reachable(true);
  link.clockSuspect(-32_400_000);
  expect(link.state).toMatchObject({ upstream: "clock", suspectedOffset: -32_400_000 });
  link.clockSuspect(-32_401_500);
  expect(states).toHaveLength(2);
  link.clockSuspect(-3_600_000);
  expect(link.state.suspectedOffset).toBe(-3_600_000);
  link.reachable(false);
  expect(link.state).toMatchObject({ upstream: "down", suspectedOffset: null });
  link.reachable(true);
  link.clockSuspect(null);
  expect(link.state).toMatchObject({ upstream: "up", suspectedOffset: null });
});

test("[ONL-4] the API's last report is available, and causes no event by itself", () => {
  const { link, states, clock } = harness();
  expect(link.state.heardAt).toBeNull();
  link.received();
  expect(link.state.heardAt).toBe(clock.now());
  expect(states).toEqual([]);
});

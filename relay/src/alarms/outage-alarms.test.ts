import { expect, test } from "vitest";
import { createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";
import { OUTAGE_AFTER_MS } from "./outage-alarms.ts";

test("[ALM-4] an unavailable farm API is one alarm with the number of devices and its start", async () => {
  const harness = await createAlarmHarness();
  for (const id of ["1", "2", "3"]) harness.sensor(id);
  harness.link.become({ upstream: "down" });
  harness.timers.advance(OUTAGE_AFTER_MS - 1);
  expect(harness.active()).toEqual([]);
  harness.timers.advance(1);
  expect(harness.find("upstream-down")).toMatchObject({ key: "link:upstream", priority: 3, count: 3 });
  harness.link.become({ upstream: "up" });
  expect(harness.active()).toEqual([]);
});

test("[ALM-4] a restart of the API, or a clock that is off, raises nothing", async () => {
  const harness = await createAlarmHarness();
  harness.link.become({ upstream: "down" });
  harness.timers.advance(OUTAGE_AFTER_MS - 1);
  harness.link.become({ upstream: "clock" });
  harness.timers.advance(10 * OUTAGE_AFTER_MS);
  expect(harness.shown()).toEqual([]);
});

test("[ALM-1] an outage is P1 only while a valve is open", async () => {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.channel("11", { onoff: 1 });
  harness.link.become({ upstream: "down" });
  harness.timers.advance(OUTAGE_AFTER_MS);
  expect(harness.find("upstream-down")?.priority).toBe(1);
  harness.channel("11", { onoff: 2 });
  expect(harness.find("upstream-down")?.priority).toBe(3);
});

test("[ALM-4] an API and its broker away together are one alarm; the broker's follows when only it is away", async () => {
  const harness = await createAlarmHarness();
  harness.link.become({ upstream: "down", mqtt: "down" });
  harness.timers.advance(OUTAGE_AFTER_MS);
  expect(harness.active()).toEqual(["upstream-down link:upstream"]);
  harness.link.become({ upstream: "up" });
  expect(harness.active()).toEqual(["broker-down link:mqtt"]);
  harness.link.become({ mqtt: "up" });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] a lost access is P1 while a valve is open, else P3 while the account is watched", async () => {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.channel("11");
  harness.attended = false;
  harness.state.emit("accessChanged", false);
  harness.timers.advance(OUTAGE_AFTER_MS);
  expect(harness.active()).toEqual([]);
  harness.channel("11", { onoff: 1 });
  expect(harness.find("no-access")).toMatchObject({ key: "account", priority: 1 });
  harness.state.emit("accessChanged", true);
  expect(harness.active()).toEqual([]);
  harness.channel("11", { onoff: 2 });
  harness.attended = true;
  harness.state.emit("accessChanged", false);
  harness.timers.advance(OUTAGE_AFTER_MS);
  expect(harness.find("no-access")?.priority).toBe(3);
});

test("[ALM-6] an outage that lasts over a restart is the same alarm, and ends when it is over", async () => {
  const harness = await createAlarmHarness();
  harness.link.become({ upstream: "down" });
  harness.timers.advance(OUTAGE_AFTER_MS);
  const id = harness.find("upstream-down")?.id;
  await harness.restart();
  expect(harness.find("upstream-down")).toMatchObject({ id, active: true, count: 1 });
  harness.link.become({ upstream: "up" });
  expect(harness.active()).toEqual([]);
  harness.link.become({ upstream: "down" });
  harness.timers.advance(OUTAGE_AFTER_MS);
  harness.link.become({ upstream: "up" });
  await harness.restart();
  expect(harness.active()).toEqual([]);
});

import { expect, test } from "vitest";
import { OUTAGE_AFTER_MS } from "./outage-alarms.ts";
import { createAlarmRig } from "./testing/alarm-rig.ts";

test("[ALM-4] a farm API that is away is one alarm with the number of devices, at its moment", async () => {
  const rig = await createAlarmRig();
  for (const id of ["1", "2", "3"]) rig.sensor(id);
  rig.link.become({ upstream: "down" });
  rig.timers.advance(OUTAGE_AFTER_MS - 1);
  expect(rig.active()).toEqual([]);
  rig.timers.advance(1);
  expect(rig.find("upstream-down")).toMatchObject({ key: "link:upstream", priority: 3, count: 3 });
  rig.link.become({ upstream: "up" });
  expect(rig.active()).toEqual([]);
});

test("[ALM-4] a restart of the API, or a clock that is off, is none", async () => {
  const rig = await createAlarmRig();
  rig.link.become({ upstream: "down" });
  rig.timers.advance(OUTAGE_AFTER_MS - 1);
  rig.link.become({ upstream: "clock" });
  rig.timers.advance(10 * OUTAGE_AFTER_MS);
  expect(rig.shown()).toEqual([]);
});

test("[ALM-1] while something is open an outage is P1, and only as long", async () => {
  const rig = await createAlarmRig();
  rig.controller("c1");
  rig.channel("11", { onoff: 1 });
  rig.link.become({ upstream: "down" });
  rig.timers.advance(OUTAGE_AFTER_MS);
  expect(rig.find("upstream-down")?.priority).toBe(1);
  rig.channel("11", { onoff: 2 });
  expect(rig.find("upstream-down")?.priority).toBe(3);
});

test("[ALM-4] an API that is away with its broker is one alarm; the broker's comes once it alone is away", async () => {
  const rig = await createAlarmRig();
  rig.link.become({ upstream: "down", mqtt: "down" });
  rig.timers.advance(OUTAGE_AFTER_MS);
  expect(rig.active()).toEqual(["upstream-down link:upstream"]);
  rig.link.become({ upstream: "up" });
  expect(rig.active()).toEqual(["broker-down link:mqtt"]);
  rig.link.become({ mqtt: "up" });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] no access to the account is P1 while something is open, else P3 where anybody expects any", async () => {
  const rig = await createAlarmRig();
  rig.controller("c1");
  rig.channel("11");
  rig.attended = false;
  rig.desk.access(false);
  rig.timers.advance(OUTAGE_AFTER_MS);
  expect(rig.active()).toEqual([]);
  rig.channel("11", { onoff: 1 });
  expect(rig.find("no-access")).toMatchObject({ key: "account", priority: 1 });
  rig.desk.access(true);
  expect(rig.active()).toEqual([]);
  rig.channel("11", { onoff: 2 });
  rig.attended = true;
  rig.desk.access(false);
  rig.timers.advance(OUTAGE_AFTER_MS);
  expect(rig.find("no-access")?.priority).toBe(3);
});

test("[ALM-6] an outage that goes on over a restart is the same alarm, and one that is over is over", async () => {
  const rig = await createAlarmRig();
  rig.link.become({ upstream: "down" });
  rig.timers.advance(OUTAGE_AFTER_MS);
  const id = rig.find("upstream-down")?.id;
  await rig.restart();
  expect(rig.find("upstream-down")).toMatchObject({ id, active: true, count: 1 });
  rig.link.become({ upstream: "up" });
  expect(rig.active()).toEqual([]);
  rig.link.become({ upstream: "down" });
  rig.timers.advance(OUTAGE_AFTER_MS);
  rig.link.become({ upstream: "up" });
  await rig.restart();
  expect(rig.active()).toEqual([]);
});

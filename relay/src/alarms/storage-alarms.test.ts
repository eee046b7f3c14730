import { expect, test } from "vitest";
import { createAlarmRig } from "./testing/alarm-rig.ts";

test("[ALM-1] readings that are not stored are the most urgent alarm of administrators, and of no one else", async () => {
  const rig = await createAlarmRig();
  const since = rig.clock.now();
  rig.link.become({ notStoring: { fault: "disk-full", since } });
  expect(rig.active()).toEqual([]);
  rig.administers = true;
  rig.desk.roleReviewed();
  expect(rig.find("not-storing")).toMatchObject({
    key: "link:storage",
    priority: 1,
    count: 1,
    detail: { fault: "disk-full", since: rig.iso() },
  });
  rig.link.become({ notStoring: null });
  expect(rig.active()).toEqual([]);
});

test("[ALM-6] one that was over while the relay was stopped is over afterwards", async () => {
  const rig = await createAlarmRig();
  rig.administers = true;
  rig.link.become({ notStoring: { fault: "database", since: rig.clock.now() } });
  expect(rig.active()).toEqual(["not-storing link:storage"]);
  await rig.restart();
  expect(rig.active()).toEqual(["not-storing link:storage"]);
  rig.link.become({ notStoring: null });
  await rig.restart();
  expect(rig.active()).toEqual([]);
});

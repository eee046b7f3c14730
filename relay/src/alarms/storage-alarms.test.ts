import { expect, test } from "vitest";
import { createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";

test("[ALM-1] readings that are not stored are the most urgent alarm of administrators, and of no other role", async () => {
  const harness = await createAlarmHarness();
  const since = harness.clock.now();
  harness.link.become({ notStoring: { fault: "disk-full", since } });
  expect(harness.active()).toEqual([]);
  harness.state.emit("roleKnown", true);
  expect(harness.find("not-storing")).toMatchObject({
    key: "link:storage",
    priority: 1,
    count: 1,
    detail: { fault: "disk-full", since: harness.iso() },
  });
  harness.link.become({ notStoring: null });
  expect(harness.active()).toEqual([]);
});

test("[ALM-6] is over after a restart when the failure ended while the relay was stopped", async () => {
  const harness = await createAlarmHarness();
  harness.administers = true;
  harness.link.become({ notStoring: { fault: "database", since: harness.clock.now() } });
  expect(harness.active()).toEqual(["not-storing link:storage"]);
  await harness.restart();
  expect(harness.active()).toEqual(["not-storing link:storage"]);
  harness.link.become({ notStoring: null });
  await harness.restart();
  expect(harness.active()).toEqual([]);
});

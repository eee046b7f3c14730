import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeDocuments } from "../../testing/fake-documents.ts";
import { createActivityHistory } from "./activity-history.ts";
import { createDeviceMemory, PRESENCE, writeAccount } from "./device-memory.ts";

test("[ONL-2] the rhythm that a full disk refused is stored once the disk has room", async () => {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const store = createFakeDocuments();
  const writer = writeAccount(store.documents, timers, createCapturedLog());
  let unsaved = [{ key: "sensor:1", gaps: [600_000], offline: true }];
  const memory = createDeviceMemory({
    ...{ store: store.documents, writer, timers },
    watch: {
      restore: () => undefined,
      // Each change is handed over once.
      takeUnpersisted: () => unsaved.splice(0),
    },
    beats: createActivityHistory(clock.now),
    watchedDevices: () => [],
  });
  store.failing = true;
  await memory.save();
  expect(store.keys(PRESENCE)).toEqual([]);
  store.failing = false;
  await timers.pass(5_000);
  expect(store.valueOf(PRESENCE, "sensor:1")).toMatchObject({ gaps: [600_000], offline: true });
  unsaved = [{ key: "sensor:1", gaps: [600_000, 601_000], offline: false }];
  await memory.save();
  expect(store.valueOf(PRESENCE, "sensor:1")).toMatchObject({ gaps: [600_000, 601_000], offline: false });
  memory.close();
  writer.close();
});

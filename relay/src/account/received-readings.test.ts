import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { expect, test } from "vitest";
import { createOwnersHarness } from "../../testing/owners-harness.ts";

const SENSOR = "10000000-0000-4000-8000-000000000001";
const zone = createApiTimeZone("Asia/Seoul");

test("[history] receives every new reading from any source, and late ones", async () => {
  const harness = createOwnersHarness();
  const { accountId } = harness.proven;
  const listed = (at: string) =>
    harness.api.answer(sensorList.path, [
      buildSensor({ id: SENSOR, latestLog: buildLogEntry({ createdDate: zone.toApi(Date.parse(at)) }) }),
    ]);
  listed("2026-11-21T02:59:00Z");
  const viewer = await harness.owners.view(harness.proven, "t1");
  expect(harness.readings).toEqual([{ accountId, sensorId: SENSOR, at: "2026-11-21T02:59:00.000Z" }]);
  await harness.timers.pass(150_000);
  // Repeated polls of the same reading are not new.
  expect(harness.readings).toHaveLength(1);

  const publish = (at: string) =>
    harness.publish("sensor", SENSOR, {
      ...buildLogEntry({ createdDate: zone.toApi(Date.parse(at)) }),
      at,
      receivedAt: new Date(harness.clock.now()).toISOString(),
    });
  publish("2026-11-21T03:02:00.000Z");
  publish("2026-11-18T07:00:00.000Z");
  expect(harness.readings.slice(1).map(({ at }) => at)).toEqual([
    "2026-11-21T03:02:00.000Z",
    "2026-11-18T07:00:00.000Z",
  ]);
  viewer.release();
});

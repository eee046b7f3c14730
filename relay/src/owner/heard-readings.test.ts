import { apiPath } from "@mulkko/shared/rest/routes";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { expect, test } from "vitest";
import { createOwnersRig } from "../testing/owners-rig.ts";
import { passTime } from "../testing/settle.ts";

const SENSOR = "10000000-0000-4000-8000-000000000001";
const zone = createApiTimeZone("Asia/Seoul");

test("[history] is told of every reading that is news, by whatever way it came, and of late ones", async () => {
  const rig = createOwnersRig();
  const { accountId } = rig.proven;
  const listed = (at: string) =>
    rig.api.answer(apiPath.sensors, [
      buildSensor({ id: SENSOR, latestLog: buildLogEntry({ createdDate: zone.toApi(Date.parse(at)) }) }),
    ]);
  listed("2026-11-21T02:59:00Z");
  const viewer = await rig.owners.view(rig.proven, "t1");
  expect(rig.readings).toEqual([{ accountId, sensorId: SENSOR, at: "2026-11-21T02:59:00.000Z" }]);
  await passTime(rig.timers, 150_000);
  // The same reading, polled again and again, is no news.
  expect(rig.readings).toHaveLength(1);

  const publish = (at: string) =>
    rig.publish("sensor", SENSOR, {
      ...buildLogEntry({ createdDate: zone.toApi(Date.parse(at)) }),
      at,
      receivedAt: new Date(rig.clock.now()).toISOString(),
    });
  publish("2026-11-21T03:02:00.000Z");
  publish("2026-11-18T07:00:00.000Z");
  expect(rig.readings.slice(1).map(({ at }) => at)).toEqual([
    "2026-11-21T03:02:00.000Z",
    "2026-11-18T07:00:00.000Z",
  ]);
  viewer.release();
});

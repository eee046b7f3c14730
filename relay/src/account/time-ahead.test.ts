import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { expect, test } from "vitest";
import { createOwnersHarness } from "../../testing/owners-harness.ts";

const SENSOR = "10000000-0000-4000-8000-000000000001";
const KEY = `sensor:${SENSOR}`;
const MINUTE = 60_000;
const zone = createApiTimeZone("Asia/Seoul");

async function harnessWithSensor() {
  const harness = createOwnersHarness();
  const listed = (at: number, moisture: number) =>
    harness.api.answer(sensorList.path, [
      buildSensor({
        id: SENSOR,
        deviceType: "SMS",
        latestLog: buildLogEntry({ createdDate: zone.toApi(at), moisture }),
      }),
    ]);
  listed(harness.clock.now() - MINUTE, 30);
  const viewer = await harness.owners.view(harness.proven, "t1");
  const shown = () => harness.state(viewer)[KEY];
  const moisture = () => Object(shown()?.reading).moisture;
  return { harness, listed, viewer, shown, moisture };
}

test("[ONL-6] a row dated hours ahead counts once as of its arrival, and the next row replaces it", async () => {
  const { harness, listed, shown, moisture } = await harnessWithSensor();
  const now = harness.clock.now();
  listed(now + 120 * MINUTE, 99);
  await harness.timers.pass(2 * MINUTE);
  expect(moisture()).toBe(99);
  const taken = Date.parse(String(shown()?.at));
  expect(taken).toBeLessThanOrEqual(harness.clock.now());
  expect(shown()?.timeAhead).toBe(true);
  // Repeated polls return the same row, which ages.
  await harness.timers.pass(5 * MINUTE);
  expect(Date.parse(String(shown()?.at))).toBe(taken);
  listed(harness.clock.now(), 31);
  await harness.timers.pass(6 * MINUTE);
  expect(moisture()).toBe(31);
  expect(shown()?.timeAhead).toBe(false);
});

test("[ONL-6] a message of a device whose clock jumped by years does not block later ones", async () => {
  const { harness, moisture, shown } = await harnessWithSensor();
  const publish = (at: number, value: number) =>
    harness.publish("sensor", SENSOR, {
      ...buildLogEntry({ createdDate: zone.toApi(at), moisture: value }),
      at: new Date(at).toISOString(),
      receivedAt: new Date(harness.clock.now()).toISOString(),
    });
  publish(harness.clock.now() + 10 * 365 * 24 * 60 * MINUTE, 98);
  await harness.timers.pass(1_000);
  expect(moisture()).toBe(98);
  expect(Date.parse(String(shown()?.at))).toBeLessThanOrEqual(harness.clock.now());
  await harness.timers.pass(MINUTE);
  publish(harness.clock.now(), 32);
  await harness.timers.pass(1_000);
  expect(moisture()).toBe(32);
});

test("[ONL-6] a notification from the future is reported once, and does not block later ones", async () => {
  const harness = createOwnersHarness();
  const notification = (id: number, createdDate: string) => ({
    id,
    type: "RSSI",
    message: `${id}`,
    createdDate,
  });
  const past = notification(1, zone.toApi(harness.clock.now() - 60 * MINUTE));
  const ahead = notification(2, zone.toApi(harness.clock.now() + 24 * 60 * MINUTE));
  harness.api.answer(sensorList.path, []);
  harness.api.answer(notificationList.path, [past]);
  const viewer = await harness.owners.view(harness.proven, "t1");
  const eventsOf = () =>
    harness
      .events(viewer)
      .flatMap(({ event }) => (event.kind === "notification" ? [[event.id, event.at] as const] : []));
  await harness.timers.pass(MINUTE);
  harness.api.answer(notificationList.path, [ahead, past]);
  await harness.timers.pass(10 * MINUTE);
  expect(eventsOf().map(([id]) => id)).toEqual([2]);
  expect(Date.parse(String(eventsOf()[0]?.[1]))).toBeLessThanOrEqual(harness.clock.now());
  const later = notification(3, `${harness.clock.now()}`);
  harness.api.answer(notificationList.path, [ahead, later, past]);
  await harness.timers.pass(10 * MINUTE);
  harness.publish("noti", notification(4, zone.toApi(harness.clock.now())));
  await harness.timers.pass(10 * MINUTE);
  expect(eventsOf().map(([id]) => id)).toEqual([2, 3, 4]);
});

test("[ORD-6] a polled API whose clock is set back freezes no value", async () => {
  const { harness, listed, moisture } = await harnessWithSensor();
  const ahead = harness.clock.now() - MINUTE;
  for (const [index, value] of [12, 13, 14].entries()) {
    listed(ahead - 30 * MINUTE + index * 5 * MINUTE, value);
    await harness.timers.pass(5 * MINUTE);
    expect(moisture()).toBe(value);
  }
});

test("[ORD-1] of two messages the one with the higher number is newer, whatever their times", async () => {
  const { harness, moisture, shown } = await harnessWithSensor();
  const publish = (arrival: number, at: number, value: number) =>
    harness.publish("sensor", SENSOR, {
      ...buildLogEntry({ createdDate: zone.toApi(at), moisture: value }),
      at: new Date(at).toISOString(),
      receivedAt: new Date(at).toISOString(),
      arrival,
    });
  const now = harness.clock.now();
  publish(1_000, now, 40);
  publish(1_001, now - 30 * MINUTE, 12);
  await harness.timers.pass(1_000);
  expect(moisture()).toBe(12);
  expect(shown()?.quality).toBe("fresh");
  publish(1_000, now, 40);
  await harness.timers.pass(1_000);
  expect(moisture()).toBe(12);
});

test.each(["soon", "", [1, 2], { at: 3 }, null])(
  "[ROW-1] the unreadable time %j of a row costs the time, not the row",
  async (createdDate) => {
    const { harness, moisture, shown } = await harnessWithSensor();
    const answer = (value: number) =>
      harness.api.answer(sensorList.path, [
        {
          ...buildSensor({ id: SENSOR, deviceType: "SMS" }),
          latestLog: { ...buildLogEntry({ moisture: value }), createdDate },
        },
      ]);
    answer(55);
    await harness.timers.pass(6 * MINUTE);
    expect(moisture()).toBe(55);
    expect(shown()?.timeAhead).toBe(true);
    const at = shown()?.at;
    await harness.timers.pass(6 * MINUTE);
    expect(shown()?.at).toBe(at);
    answer(56);
    await harness.timers.pass(6 * MINUTE);
    expect(moisture()).toBe(56);
    expect(shown()?.at).not.toBe(at);
  },
);

import type { Controller } from "@mulkko/shared/entities/controller";
import { channelState, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { describe, expect, test } from "vitest";
import { createOwnersHarness } from "../../testing/owners-harness.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SENSORS = ["1", "2", "3", "4"].map((digit) => `10000000-0000-4000-8000-00000000000${digit}`);

/** Return the instant in whole minutes, as far as a device that reports every minute has got. */
const newestRow = (now: number): number => Math.floor(now / MINUTE) * MINUTE;

/** A farm of four sensors and one controller that report every minute, in front of an API that is polled. */
async function startFarm(zoneName: string, start: number) {
  const zone = createApiTimeZone(zoneName);
  const clock = createFakeClock(start);
  const harness = createOwnersHarness({ zone: zoneName, clock });
  const { api } = harness;
  api.answer(sensorList.path, () =>
    SENSORS.map((id) =>
      buildSensor({
        id,
        deviceType: "SMS",
        latestLog: buildLogEntry({
          createdDate: zone.toApi(newestRow(clock.now())),
          moisture: (newestRow(clock.now()) / MINUTE) % 100,
        }),
      }),
    ),
  );
  const controller: Controller = buildController();
  api.answer(controllerList.path, [controller]);
  const channel = controller.channels?.[0];
  const onoff = { now: 2 };
  api.answer(
    pathTo(channelState, { serial: String(controller.serial), channelId: String(channel?.id) }),
    () => ({
      onoff: onoff.now,
      automatic: 0,
      period: 0,
      reservation: 0,
      createdDate: zone.toApi(newestRow(clock.now())),
    }),
  );
  /** View the account with a token that is new, as a client does before the last one ends. */
  const look = () =>
    harness.owners.view({ ...harness.proven, expiresAt: clock.now() + 30 * MINUTE }, `t${clock.now()}`);
  const viewer = await look();
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 4 * MINUTE) {
      viewer.active();
      await harness.timers.pass(Math.min(left, 4 * MINUTE));
      (await look()).release();
    }
  };
  const value = (key: string) => harness.state(viewer)[key];
  return { harness, pass, clock, onoff, value, channelKey: `channel:${channel?.id}`, viewer };
}

/** ms after which the newest row of a polled farm has been read. */
const READ_WITHIN = 3 * MINUTE;

describe("a farm behind an API that is only polled", () => {
  test.each([
    ["Europe/Berlin", "2026-10-25T01:00:00Z"],
    ["Europe/Berlin", "2026-03-29T01:00:00Z"],
    ["America/New_York", "2026-11-01T06:00:00Z"],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
    ["America/St_Johns", "2026-11-01T04:30:00Z"],
  ])(
    "[TIME-1] goes on through the clock change of %s at %s, and no clock is accused",
    async (zone, change) => {
      const at = Date.parse(change);
      const farm = await startFarm(zone, at - 70 * MINUTE);
      const last = new Map<string, number>();
      while (farm.clock.now() < at + 2 * HOUR) {
        await farm.pass(MINUTE);
        const now = farm.clock.now();
        for (const key of [...SENSORS.map((id) => `sensor:${id}`), farm.channelKey]) {
          const shown = farm.value(key);
          const heardAt = Date.parse(String(shown?.heardAt));
          expect(heardAt).toBeLessThanOrEqual(now);
          expect(heardAt).toBeGreaterThanOrEqual(last.get(key) ?? 0);
          last.set(key, heardAt);
          if (now > at - HOUR) {
            expect(now - heardAt).toBeLessThan(READ_WITHIN);
            expect(shown?.quality).toBe("fresh");
          }
        }
        expect(farm.harness.link.state.upstream).toBe("up");
      }
    },
  );

  test("[TIME-1] shows a valve that opens in the second of two hours", async () => {
    const farm = await startFarm("Europe/Berlin", Date.parse("2026-10-25T00:50:00Z"));
    await farm.pass(30 * MINUTE);
    expect(farm.value(farm.channelKey)?.onoff).toBe(2);
    farm.onoff.now = 1;
    await farm.pass(READ_WITHIN);
    expect(farm.value(farm.channelKey)?.onoff).toBe(1);
  });

  test("[TIME-1] is not brought back where it fell silent in the first of two hours", async () => {
    const zone = createApiTimeZone("Europe/Berlin");
    const silentFrom = Date.parse("2026-10-25T00:20:00Z");
    const farm = await startFarm("Europe/Berlin", silentFrom - HOUR);
    farm.harness.api.answer(sensorList.path, () => [
      buildSensor({
        id: SENSORS[0] ?? "",
        deviceType: "SMS",
        latestLog: buildLogEntry({
          createdDate: zone.toApi(Math.min(silentFrom, newestRow(farm.clock.now()))),
          moisture: 30,
        }),
      }),
    ]);
    await farm.pass(3 * HOUR);
    const shown = farm.value(`sensor:${SENSORS[0]}`);
    expect(shown).toMatchObject({ at: "2026-10-25T00:20:00.000Z", quality: "offline" });
  });

  test("[TIME-1] tells each notification of a repeated hour once, also those of its second", async () => {
    const zone = createApiTimeZone("Europe/Berlin");
    const start = Date.parse("2026-10-24T23:30:00Z");
    const farm = await startFarm("Europe/Berlin", start);
    const written: { id: number; at: number }[] = [];
    farm.harness.api.answer(notificationList.path, () =>
      written.map(({ id, at }) => ({
        id,
        type: "BATTERY",
        message: `low ${id}`,
        createdDate: zone.toApi(at),
        unread: true,
      })),
    );
    for (let id = 1; id <= 12; id += 1) {
      written.unshift({ id, at: farm.clock.now() });
      await farm.pass(17 * MINUTE);
    }
    await farm.pass(3 * HOUR);
    const events = farm.harness.events(farm.viewer).flatMap(({ event }) => {
      return event.kind === "notification" ? [{ id: event.id, at: Date.parse(event.at) }] : [];
    });
    // The first list is the account's past.
    expect(events.toReversed()).toEqual(
      written.filter(({ id }) => id > 1).map(({ id, at }) => ({ id, at: Math.floor(at / 1_000) * 1_000 })),
    );
  });
});

import { describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { buildLiveFarm, channelEntry, controllerEntry, sensorEntry } from "../testing/build-live-farm.ts";
import { urgentPlaces } from "./map-callouts.ts";

const NONSAN = { latitude: 36.19, longitude: 127.1 };

/** Build a farm with a placed sensor on the first channel of a controller, and a sensor without a place. */
function farmWith(...alarms: Parameters<typeof buildAlarm>[0][]) {
  const [id, value] = sensorEntry("s1");
  const nowhere = sensorEntry("s2");
  return buildLiveFarm(
    [
      [id, { ...value, info: { ...value.info, ...NONSAN } }],
      [nowhere[0], { ...nowhere[1], info: { ...nowhere[1].info, latitude: null, longitude: null } }],
    ],
    [channelEntry("v1", "c1", { sensorIds: ["s1"] }), channelEntry("v2", "c1")],
    alarms.map((change, index) => buildAlarm({ id: `a${index}`, ...change })),
    [controllerEntry("c1")],
  );
}

describe("urgent alarms on the map", () => {
  it("[wall] shows an alarm at its place: a valve at the sensor of its channel, or of its unit", () => {
    const urgent = urgentPlaces(
      farmWith(
        { key: "sensor:s1", priority: 1 },
        { key: "channel:v1", priority: 1 },
        { key: "channel:v2", priority: 1 },
        { key: "controller:c1", priority: 2 },
      ),
    );
    expect(urgent.map(({ place }) => place)).toEqual([NONSAN, NONSAN, NONSAN, NONSAN]);
  });

  it("[wall] lists alarms without a place separately", () => {
    const urgent = urgentPlaces(
      farmWith({ key: "sensor:s2", priority: 1 }, { key: "link:upstream", priority: 2 }),
    );
    expect(urgent.map(({ alarm, place }) => [alarm.key, place])).toEqual([
      ["sensor:s2", null],
      ["link:upstream", null],
    ]);
  });

  it("[wall] shows only P1 and P2, no ended and no snoozed alarms", () => {
    const snooze = { until: "2027-01-01T00:00:00.000Z", reason: "", by: { id: 1, nickname: "n" } };
    const urgent = urgentPlaces(
      farmWith(
        { key: "sensor:s1", priority: 3 },
        { key: "sensor:s1", priority: 1, active: false },
        { key: "sensor:s1", priority: 2, snooze },
      ),
    );
    expect(urgent).toEqual([]);
  });
});

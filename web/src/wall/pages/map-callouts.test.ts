import { describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { buildLiveFarm, channelEntry, controllerEntry, sensorEntry } from "../testing/build-live-farm.ts";
import { urgentPlaces } from "./map-callouts.ts";

const NONSAN = { latitude: 36.19, longitude: 127.1 };

/** A placed sensor on the first channel of a controller, and a sensor that is nowhere. */
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

describe("what is urgent, on the map", () => {
  it("[wall] what is urgent is said where it is: a valve at the sensor of its channel, or of its box", () => {
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

  it("[wall] what has no place is said without one", () => {
    const urgent = urgentPlaces(
      farmWith({ key: "sensor:s2", priority: 1 }, { key: "link:upstream", priority: 2 }),
    );
    expect(urgent.map(({ about, place }) => [about, place])).toEqual([
      ["sensor:s2", null],
      ["link:upstream", null],
    ]);
  });

  it("[wall] nothing but P1 and P2 is said, and nothing that is over or was put off", () => {
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

import { buildSensor } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { silentSensor } from "../core/normalise-lists.ts";
import { stationWeather, weatherPlace } from "./own-weather.ts";

const NOW = Date.parse("2026-11-21T05:00:00Z");
const farm = (id: number, sensorIds: string[]) => ({
  info: { id, name: `Farm ${id}`, description: null, sensorIds },
});
const sensor = (id: string, latitude: number | null, longitude: number | null, deviceType = "SMS") => ({
  ...silentSensor(buildSensor({ id, latitude, longitude, deviceType, name: id })),
});
const station = (id: string, deviceType: string, at: string, reading: Record<string, number | null>) => ({
  ...sensor(id, 0, 0, deviceType),
  reading,
  at,
  heardAt: at,
  quality: "fresh" as const,
});
const state = {
  "farm:1": farm(1, ["a", "b"]),
  "farm:2": farm(2, ["c"]),
  "sensor:a": sensor("a", 36, 127),
  "sensor:b": sensor("b", 36.2, 127.2),
  "sensor:c": sensor("c", 35, 126),
  "sensor:d": sensor("d", 0, 0),
};

describe("the place of the weather", () => {
  it("[weather] is the caller's, rounded, where there is one", () => {
    expect(weatherPlace(state, { lat: 37.56789, lon: 126.98765 })).toEqual({
      latitude: 37.57,
      longitude: 126.99,
      from: "query",
      farmId: null,
    });
  });

  it("[weather] else the middle of the named farm, or of the one with the most placed sensors", () => {
    expect(weatherPlace(state, { farm: "2" })).toMatchObject({ latitude: 35, longitude: 126, farmId: "2" });
    expect(weatherPlace(state, {})).toEqual({ latitude: 36.1, longitude: 127.1, from: "farm", farmId: "1" });
    const lone = { "sensor:c": state["sensor:c"] };
    expect(weatherPlace(lone, {})).toEqual({ latitude: 35, longitude: 126, from: "farm", farmId: null });
  });

  it("[weather] has a middle also where the degrees turn over", () => {
    const around = { "sensor:a": sensor("a", 10, 179), "sensor:b": sensor("b", 10, -177) };
    expect(weatherPlace(around, {})).toMatchObject({ longitude: -179 });
  });

  it("[weather] else central Seoul, and the answer says so", () => {
    const nowhere = { latitude: 37.56, longitude: 127, from: "default" };
    expect(weatherPlace({ "sensor:d": state["sensor:d"] }, {})).toMatchObject(nowhere);
    expect(weatherPlace({ "sensor:a": sensor("a", null, null) }, {})).toMatchObject(nowhere);
    expect(weatherPlace(state, { farm: "9" })).toMatchObject({ ...nowhere, farmId: "9" });
  });
});

describe("the farm's own station", () => {
  const stations = {
    ...state,
    "farm:2": farm(2, ["far"]),
    "sensor:far": station("far", "AT", "2026-11-21T04:59:00.000Z", { temperature: 9 }),
    "sensor:near": station("near", "ATS02", "2026-11-21T04:30:30.000Z", {
      temperature: 4.5,
      humidity: 70,
      rain: 0,
      battery: 80,
      windS: null,
    }),
    "farm:1": farm(1, ["near"]),
  };

  it("[weather] gives its newest reading with its age and quality", () => {
    expect(stationWeather(stations, "1", "no-key", NOW)).toEqual({
      source: "station",
      at: "2026-11-21T04:30:30.000Z",
      ageMinutes: 29,
      quality: "fresh",
      station: { sensorId: "near", name: "near", deviceType: "ATS02" },
      reading: { temperature: 4.5, humidity: 70, rain: 0 },
      instead: "no-key",
    });
  });

  it("[weather] is the farm's where it has one, else whichever spoke last", () => {
    expect(stationWeather(stations, "2", "no-key", NOW)?.station.sensorId).toBe("far");
    const older = { ...stations["sensor:near"], at: "2026-11-21T04:00:00.000Z" };
    const both = { ...stations, "sensor:older": { ...older, info: { ...older.info, id: "older" } } };
    expect(stationWeather(both, null, "no-key", NOW)?.station.sensorId).toBe("near");
  });

  it("[weather] is one out of doors rather than one in a greenhouse, unless it has gone silent", () => {
    expect(stationWeather(stations, "3", "no-key", NOW)?.station.sensorId).toBe("near");
    const silent = { ...stations["sensor:near"], quality: "offline" };
    const found = stationWeather({ ...stations, "sensor:near": silent }, "3", "no-key", NOW);
    expect(found?.station.sensorId).toBe("far");
    expect(stationWeather({ "sensor:near": silent }, null, "no-key", NOW)?.quality).toBe("offline");
  });

  it("[weather] is none where no sensor measures it, or none has spoken", () => {
    expect(stationWeather(state, null, "no-key", NOW)).toBeNull();
    expect(stationWeather({ "sensor:at": sensor("at", 0, 0, "AT") }, null, "no-key", NOW)).toBeNull();
  });
});

import { buildSensor } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { silentSensor } from "../account/normalise-lists.ts";
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
  it("[weather] is the caller's, rounded, if given", () => {
    expect(weatherPlace(state, { lat: 37.56789, lon: 126.98765 })).toEqual({
      latitude: 37.57,
      longitude: 126.99,
      from: "query",
      farmId: null,
    });
  });

  it("[weather] else the centre of the named farm, or of the one with the most placed sensors", () => {
    expect(weatherPlace(state, { farm: "2" })).toMatchObject({ latitude: 35, longitude: 126, farmId: "2" });
    expect(weatherPlace(state, {})).toEqual({ latitude: 36.1, longitude: 127.1, from: "farm", farmId: "1" });
    const lone = { "sensor:c": state["sensor:c"] };
    expect(weatherPlace(lone, {})).toEqual({ latitude: 35, longitude: 126, from: "farm", farmId: null });
  });

  it("[weather] has a centre also across the antimeridian", () => {
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
  const seoul = { latitude: 37.56, longitude: 127 };
  const at = (farmId: string | null, place = seoul) => ({ ...place, farmId });
  const placed = (id: string, latitude: number, type = "ATS02", spoke = "2026-11-21T04:30:00.000Z") => {
    const value = station(id, type, spoke, { temperature: 9 });
    return { ...value, info: { ...value.info, latitude, longitude: 127 } };
  };
  const idOf = (stations: Record<string, object>, place: Parameters<typeof stationWeather>[1]) =>
    stationWeather({ ...state, ...stations }, place, "no-key", NOW)?.station.sensorId;
  const near = station("near", "ATS02", "2026-11-21T04:30:30.000Z", {
    temperature: 4.5,
    humidity: 70,
    rain: 0,
    battery: 80,
    windS: null,
  });

  it("[weather] gives its newest reading with its age and quality", () => {
    const stations = { "sensor:near": near, "farm:1": farm(1, ["near"]) };
    expect(stationWeather({ ...state, ...stations }, at("1"), "no-key", NOW)).toEqual({
      source: "station",
      at: "2026-11-21T04:30:30.000Z",
      ageMinutes: 29,
      quality: "fresh",
      station: { sensorId: "near", name: "near", deviceType: "ATS02" },
      reading: { temperature: 4.5, humidity: 70, rain: 0 },
      instead: "no-key",
    });
  });

  it("[weather] is the farm's if it has one, else the nearest, else the one that reported last", () => {
    const stations = { "sensor:far": placed("far", 33), "sensor:close": placed("close", 37.5) };
    expect(idOf(stations, at("1"))).toBe("close");
    expect(idOf({ ...stations, "farm:1": farm(1, ["far"]) }, at("1"))).toBe("far");
    const newer = placed("newer", 37.5, "FMS", "2026-11-21T04:59:00.000Z");
    expect(idOf({ ...stations, "sensor:newer": newer }, at(null))).toBe("newer");
  });

  it("[weather] a newer station type, found in data but not registrable, counts too", () => {
    expect(idOf({ "sensor:new": placed("new", 37.5, "ATS03") }, at(null))).toBe("new");
  });

  it("[weather] is never the air of a greenhouse, even if the station outside is silent", () => {
    const silent = { ...near, quality: "offline" };
    const indoors = {
      "sensor:at": station("at", "AT", "2026-11-21T04:59:00.000Z", { temperature: 27 }),
      "sensor:lat": station("lat", "LAT", "2026-11-21T04:59:00.000Z", { temperature: 27 }),
    };
    const inFarm = { ...indoors, "farm:1": farm(1, ["at", "lat"]) };
    expect(idOf(inFarm, at("1"))).toBeUndefined();
    expect(idOf({ ...inFarm, "sensor:near": silent }, at("1"))).toBe("near");
    expect(stationWeather({ "sensor:near": silent }, at(null), "no-key", NOW)?.quality).toBe("offline");
    expect(idOf({ "sensor:near": silent, "sensor:far": placed("far", 33) }, at(null))).toBe("far");
  });

  it("[weather] is none if no station measures the air, or none has reported", () => {
    expect(stationWeather(state, at(null), "no-key", NOW)).toBeNull();
    expect(idOf({ "sensor:new": sensor("new", 0, 0, "ATS02") }, at(null))).toBeUndefined();
    expect(idOf({ "sensor:rain": { ...near, reading: { rain: 1 } } }, at(null))).toBeUndefined();
  });
});

import type { SensorValue } from "@mulkko/shared/live/devices";
import type { Weather } from "@mulkko/shared/rest/weather";
import { buildSensor } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { skyOf, weatherView } from "./weather-view.ts";

const place = { latitude: 36.2, longitude: 127.5, from: "farm", farmId: "1" } as const;
const at = "2026-11-22T03:00:00Z";

const station = (reading: Record<string, number>, deviceType = "ATS02"): Weather => ({
  place,
  weather: {
    source: "station",
    at,
    ageMinutes: 3,
    quality: "late",
    station: { sensorId: "s1", name: "Roof", deviceType },
    reading,
    instead: "no-key",
  },
});

describe("weather view", () => {
  it("[weather] maps every icon of the service to one of nine skies, by day or night", () => {
    const codes = ["01d", "02d", "03n", "04d", "09d", "10n", "11d", "13d", "50n"];
    expect(new Set(codes.map((code) => skyOf(code)?.sky)).size).toBe(9);
    expect(skyOf("01n")).toEqual({ sky: "clear", night: true });
    expect(skyOf("10d")).toEqual({ sky: "rain", night: false });
    expect([skyOf("77d"), skyOf(""), skyOf(null)]).toEqual([null, null, null]);
  });
  it("[weather] shows the service's weather as fresh, and as late while the service does not answer", () => {
    const weather = (stale: boolean): Weather => ({
      place,
      weather: {
        source: "service",
        at,
        stale,
        language: "ko",
        icon: "04d",
        description: "흐림",
        temperature: 11.6,
        humidity: 71,
      },
    });
    expect(weatherView(weather(false), "fresh")).toMatchObject({
      description: "흐림",
      temperature: 11.6,
      humidity: 71,
      quality: "fresh",
      sky: { sky: "overcast" },
    });
    expect(weatherView(weather(true), "fresh").quality).toBe("late");
  });
  it("[weather] shows the station's quality and name, and a sky only when it rains", () => {
    expect(weatherView(station({ temperature: 9, humidity: 80, rain: 0 }), "fresh")).toMatchObject({
      temperature: 9,
      quality: "late",
      sky: null,
      station: { name: "Roof" },
    });
    expect(weatherView(station({ rain: 0.4 }), "fresh")).toMatchObject({
      temperature: null,
      humidity: null,
      sky: { sky: "rain" },
    });
  });
  it("[weather] shows a station as the screen's live state has it, unless the answer is newer", () => {
    const live = (reading: Record<string, number>, spoke: string): SensorValue => ({
      info: buildSensor({ id: "s1", deviceType: "ATS02" }),
      reading,
      at: spoke,
      heardAt: spoke,
      quality: "offline",
      via: "mqtt",
      clockWrongSince: null,
    });
    const answer = station({ temperature: 9, humidity: 80 });
    const newer = live({ temperature: 7, rain: 1 }, "2026-11-22T03:00:30Z");
    expect(weatherView(answer, "fresh", newer)).toMatchObject({
      temperature: 7,
      humidity: null,
      sky: { sky: "rain" },
      quality: "offline",
      at: newer.at,
    });
    const older = live({ temperature: 7 }, "2026-11-22T02:59:30Z");
    expect(weatherView(answer, "fresh", older)).toEqual(weatherView(answer, "fresh"));
    expect(weatherView(answer, "fresh", { ...older, at: null })).toEqual(weatherView(answer, "fresh"));
  });
  it("[weather] expects no humidity from a field station, and waits for it from other stations", () => {
    expect(weatherView(station({ temperature: 9, moisture: 30 }, "FMS"), "fresh").measuresHumidity).toBe(
      false,
    );
    expect(weatherView(station({ temperature: 9 }), "fresh").measuresHumidity).toBe(true);
    expect(weatherView(station({ temperature: 9, humidity: 70 }, "NEW1"), "fresh").measuresHumidity).toBe(
      true,
    );
  });
  it("[weather] invents nothing if there is no weather", () => {
    const view = weatherView({ place, weather: { source: "none", instead: "service-down" } }, "fresh");
    expect(view).toMatchObject({
      temperature: null,
      humidity: null,
      quality: null,
      at: null,
    });
  });
});

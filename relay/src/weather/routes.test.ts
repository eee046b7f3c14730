import { Weather } from "@mulkko/shared/rest/weather";
import { parse } from "@mulkko/shared/schema/parse";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeApi, startFakeApi } from "../../testing/fake-api.ts";
import { buildPlainFarm } from "../../testing/plain-api.ts";
import { type PlainApiHarness, startPlainApiHarness } from "../../testing/plain-api-harness.ts";

const cloudy = { weather: [{ icon: "04d", description: "흐림" }], main: { temp: 4.3, humidity: 71 } };

describe("GET /relay/weather in front of an API without extensions", () => {
  let outside: FakeApi;
  let harness: PlainApiHarness;
  const start = async (key: string | undefined, station: boolean): Promise<void> => {
    const sensor = { id: 1, name: "기상", deviceType: "ATS02", serial: 1, latitude: 36.19, longitude: 127.1 };
    const farm = buildPlainFarm({
      sensors: station ? [sensor] : [],
      farms: [{ id: 5, name: "논산", sensors: station ? [sensor] : [] }],
      logs: new Map([["1", [{ at: Date.now() - 120_000, fields: { temperature: 5.5, humidity: 60 } }]]]),
    });
    harness = await startPlainApiHarness(farm, {
      WEATHER_URL: `${outside.origin}/weather`,
      ...(key !== undefined && { WEATHER_API_KEY: key }),
    });
  };
  const ask = async (query = ""): Promise<Weather> => {
    const response = await harness.get(`/relay/weather${query}`);
    const parsed = parse(Weather, await response.json());
    if (!parsed.ok) throw new Error(`${response.status} ${parsed.path}`);
    return parsed.value;
  };

  beforeEach(async () => {
    outside = await startFakeApi();
    outside.answer((_request, response) => response.end(JSON.stringify(cloudy)));
  });
  afterEach(async () => {
    await harness.close();
    await outside.close();
  });

  it("[weather] is the service's at the farm's place; Chinese readers get English", async () => {
    await start("weather-key-1", true);
    expect(await ask("?lang=zh")).toMatchObject({
      place: { latitude: 36.19, longitude: 127.1, from: "farm", farmId: "5" },
      weather: { source: "service", temperature: 4.3, icon: "04d", language: "en" },
    });
    expect(await ask("?lat=37.5&lon=127")).toMatchObject({ place: { from: "query" } });
    expect(outside.requests.map(({ url }) => /lang=(\w+)/.exec(url)?.[1])).toEqual(["en", "kr"]);
  });

  it("[weather] is the farm's own station without a key, and while the service is down", async () => {
    await start(undefined, true);
    const own = {
      source: "station",
      station: { sensorId: "1" },
      reading: { temperature: 5.5, humidity: 60 },
    };
    expect((await ask()).weather).toMatchObject({ ...own, instead: "no-key" });
    expect(outside.requests).toEqual([]);
    await harness.close();
    await start("weather-key-1", true);
    outside.answer((_request, response) => response.writeHead(503).end());
    expect((await ask()).weather).toMatchObject({ ...own, instead: "service-down" });
  });

  it("[weather] is none without either, in central Seoul", async () => {
    await start(undefined, false);
    expect(await ask()).toMatchObject({
      place: { from: "default" },
      weather: { source: "none", instead: "no-key" },
    });
  });

  it("[weather] an incomplete or invalid place is refused", async () => {
    await start(undefined, false);
    for (const [query, field] of [
      ["lat=36", "lon"],
      ["lat=91&lon=0", "lat"],
      ["lang=fr", "lang"],
    ]) {
      const response = await harness.get(`/relay/weather?${query}`);
      expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ field }] }]);
    }
  });
});

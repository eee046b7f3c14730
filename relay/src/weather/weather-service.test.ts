import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CapturedLog, createCapturedLog } from "../../testing/captured-log.ts";
import { type FakeApi, startFakeApi } from "../../testing/fake-api.ts";
import { createWeatherService, type WeatherService } from "./weather-service.ts";

const KEY = "secret-weather-key";
const NONSAN = { latitude: 36.1871, longitude: 127.0987 };
const MINUTE = 60_000;

describe("the weather service", () => {
  let api: FakeApi;
  let clock: FakeClock;
  let log: CapturedLog;
  let service: WeatherService;
  const stay = new AbortController().signal;
  const answer = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
    api.answer((_request, response) => response.writeHead(status, headers).end(JSON.stringify(body)));
  const cloudy = {
    weather: [{ icon: "04d", description: "흐림" }],
    main: { temp: 4.3, humidity: 71 },
    dt: 1_795_000_000,
  };
  const ask = (place = NONSAN, language: "ko" | "en" = "ko") => service.at(place, language, stay);

  beforeEach(async () => {
    api = await startFakeApi();
    clock = createFakeClock();
    log = createCapturedLog();
    service = createWeatherService({ url: `${api.origin}/data/2.5/weather`, key: KEY, clock, log });
    answer(cloudy);
  });
  afterEach(() => api.close());

  it("[weather] is requested for a rounded place, in metric units and the reader's language", async () => {
    expect(await ask()).toEqual({
      source: "service",
      at: "2026-11-18T11:06:40.000Z",
      stale: false,
      language: "ko",
      icon: "04d",
      description: "흐림",
      temperature: 4.3,
      humidity: 71,
    });
    expect(api.requests[0]?.url).toBe(
      `/data/2.5/weather?lat=36.19&lon=127.1&units=metric&lang=kr&appid=${KEY}`,
    );
  });

  it("[weather] is requested once in ten minutes for nearby places, and once for concurrent callers", async () => {
    await Promise.all([ask(), ask({ latitude: 36.1912, longitude: 127.1012 }), ask()]);
    clock.advance(9 * MINUTE);
    await ask();
    expect(api.requests).toHaveLength(1);
    await ask(NONSAN, "en");
    await ask({ latitude: 37.56, longitude: 127 });
    expect(api.requests).toHaveLength(3);
    clock.advance(MINUTE);
    await ask();
    expect(api.requests).toHaveLength(4);
  });

  it("[weather] stays usable for two hours while the service is unavailable", async () => {
    await ask();
    answer({}, 500);
    clock.advance(20 * MINUTE);
    expect(await ask()).toMatchObject({ stale: true, temperature: 4.3 });
    clock.advance(2 * 60 * MINUTE);
    expect(await ask()).toBeNull();
  });

  it("[weather] pauses after three failures, until one call succeeds", async () => {
    answer({}, 500);
    for (let call = 0; call < 5; call += 1) await ask();
    expect(api.requests).toHaveLength(3);
    clock.advance(MINUTE);
    await ask();
    await ask();
    expect(api.requests).toHaveLength(4);
    clock.advance(MINUTE);
    answer(cloudy);
    expect(await ask()).toMatchObject({ temperature: 4.3 });
    await ask({ latitude: 35, longitude: 127 });
    expect(api.requests).toHaveLength(6);
  });

  it("[weather] pauses at once if the service refuses the key, or asks for a pause", async () => {
    answer({ message: "Invalid API key" }, 401);
    await ask();
    clock.advance(9 * MINUTE);
    await ask();
    expect(api.requests).toHaveLength(1);
    clock.advance(MINUTE);
    answer({}, 429, { "retry-after": "120" });
    await ask();
    clock.advance(119_000);
    await ask();
    expect(api.requests).toHaveLength(2);
  });

  it("[weather] with an invalid answer is none", async () => {
    for (const body of [[], { weather: "cloudy" }, { weather: [], main: { temp: "4" } }, "x"]) {
      answer(body);
      expect(await ask()).toBeNull();
      clock.advance(MINUTE);
    }
    answer({ weather: [], main: { temp: 1, humidity: 2 } });
    expect(await ask()).toMatchObject({ icon: null, description: null, temperature: 1 });
  });

  it("[weather] is requested at most fifty times a minute, for any places", async () => {
    for (let place = 0; place < 60; place += 1) await ask({ latitude: place, longitude: 127 });
    expect(api.requests).toHaveLength(50);
    clock.advance(MINUTE);
    await ask({ latitude: 80, longitude: 127 });
    expect(api.requests).toHaveLength(51);
  });

  it("[weather] never writes the key into the log", async () => {
    answer({}, 500);
    await ask();
    answer({}, 401);
    await ask();
    await api.close();
    clock.advance(20 * MINUTE);
    await ask();
    expect(log.lines.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(log.lines)).not.toContain(KEY);
    api = await startFakeApi();
  });

  it("[weather] is not requested without a caller", async () => {
    let asked = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let cut = false;
    api.answer((_request, response) => {
      response.once("close", () => {
        cut = true;
      });
      asked();
    });
    const gone = new AbortController();
    const waiting = service.at(NONSAN, "ko", gone.signal);
    await arrived;
    gone.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await expect.poll(() => cut).toBe(true);
    answer(cloudy);
    expect(await ask()).toMatchObject({ temperature: 4.3 });
  });
});

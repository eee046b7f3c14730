import { History } from "@mulkko/shared/rest/history";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { buildLogEntry } from "@mulkko/shared/testing/builders";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import fastify, { type FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFakeFarm, type FakeFarm } from "../../testing/fake-farm.ts";
import { noDisplays } from "../../testing/no-displays.ts";
import { errorsPlugin } from "../http/errors.ts";
import { Places } from "../runtime/places.ts";
import type { UpstreamReader } from "../upstream/client.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import { HISTORY_POOL } from "./limits.ts";
import { historyPlugin } from "./routes.ts";
import { createSeriesReader, type SeriesReader } from "./series-reader.ts";

const zone = createApiTimeZone("Asia/Seoul");
const at = (text: string): number => Date.parse(text);

describe("GET /relay/history", () => {
  let relay: FastifyInstance;
  let clock: FakeClock;
  let series: SeriesReader;
  let farm: FakeFarm;
  let extensions: string[];
  let asked: { path: string; token: string | undefined }[];
  let answer: (path: string) => unknown;

  beforeEach(async () => {
    clock = createFakeClock(Date.parse("2026-11-21T05:00:00Z"));
    farm = createFakeFarm(clock);
    farm.grant("token-a", "account-a");
    extensions = [];
    asked = [];
    answer = () => [];
    const reader: UpstreamReader = {
      async get<S extends TSchema>(path: string, schema: S, options?: { token?: string }) {
        asked.push({ path: decodeURIComponent(path), token: options?.token });
        const parsed = parse(schema, await answer(decodeURIComponent(path)));
        if (!parsed.ok) throw new Error(`${parsed.path} ${parsed.message}`);
        return parsed.value;
      },
    };
    relay = fastify();
    await relay.register(errorsPlugin);
    const capabilities = {
      get extensions() {
        return extensions;
      },
      isKnown: true,
      has: (name: string) => extensions.includes(name),
      listen: () => () => undefined,
    };
    const places = new Places(HISTORY_POOL, nodeTimers);
    series = createSeriesReader({
      ...{ reader, capabilities, upstreamClock: { zone, offsetMs: 0 }, clock, places },
    });
    await relay.register(historyPlugin, {
      ...{ series, capabilities, prover: farm.prover, displays: noDisplays, clock },
    });
  });
  afterEach(() => relay.close());

  async function ask(query: Record<string, string>, token: string | null = "token-a") {
    const response = await relay.inject({
      method: "GET",
      url: "/relay/history",
      query,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
    return { status: response.statusCode, body: response.json<unknown>() };
  }
  async function history(query: Record<string, string>): Promise<History> {
    const { status, body } = await ask(query);
    const parsed = parse(History, body);
    if (status !== 200 || !parsed.ok) throw new Error(`${status} ${JSON.stringify(body)}`);
    return parsed.value;
  }
  const hour = { ids: "s1", from: "2026-11-21T03:00:00Z", to: "2026-11-21T04:00:00Z", buckets: "6" };

  describe("from raw rows", () => {
    it("[history] computes regular buckets from the API's rows, in UTC", async () => {
      answer = () => ({
        data: [
          buildLogEntry({ createdDate: "2026-11-21 12:01:00", moisture: 30 }),
          buildLogEntry({ createdDate: "2026-11-21 12:09:00", moisture: 34, battery: null }),
          buildLogEntry({ createdDate: "2026-11-21 12:31", moisture: "20" }),
        ],
        maxMoisture: 99,
      });
      const { source, series } = await history({ ...hour, fields: "moisture" });
      expect(source).toBe("computed");
      expect(series).toEqual([
        {
          sensorId: "s1",
          start: "2026-11-21T03:00:00.000Z",
          step: 600_000,
          count: [2, 0, 0, 1, 0, 0],
          fields: {
            moisture: {
              min: [30, null, null, 20, null, null],
              max: [34, null, null, 20, null, null],
              avg: [32, null, null, 20, null, null],
              last: [34, null, null, 20, null, null],
              statistics: { min: 20, max: 34, avg: 26, variance: 38 },
            },
          },
        },
      ]);
      expect(asked).toEqual([
        { path: "/api/v1/sensor/read/log/s1/2026-11-21 12:00/2026-11-21 15:00", token: "token-a" },
      ]);
    });

    it("[history] reads a bare list, skips invalid rows, and discovers fields", async () => {
      answer = () => [
        buildLogEntry({ createdDate: "2026-11-21 12:01:00", temp: 21.5, id: 7 }),
        { moisture: 1 },
        "row",
        buildLogEntry({ createdDate: "yesterday" }),
      ];
      const { series } = await history(hour);
      expect(series[0]?.count).toEqual([1, 0, 0, 0, 0, 0]);
      expect(Object.keys(series[0]?.fields ?? {}).sort()).toEqual([
        "battery",
        "moisture",
        "soilTemperature",
        "temperature",
      ]);
    });

    it("[history] requests a long range in slices, and counts a row at their border once", async () => {
      answer = () => [
        buildLogEntry({ createdDate: "2026-11-03 09:00:00", moisture: 5 }),
        buildLogEntry({ createdDate: "2026-11-04 12:00:00", moisture: 6 }),
      ];
      const { series } = await history({
        ids: "s1",
        from: "2026-11-01T00:00:00Z",
        to: "2026-11-07T00:00:00Z",
        buckets: "6",
      });
      expect(asked.map(({ path }) => path.slice(-33))).toEqual(
        [6, 5, 4, 3, 2, 1].map((day) => `2026-11-0${day} 09:00/2026-11-0${day + 1} 09:00`),
      );
      expect(series[0]?.count).toEqual([0, 0, 1, 1, 0, 0]);
    });

    it("[history] returns a partial answer after the time limit, names the missing ranges, and continues on the next request", async () => {
      answer = (path) => {
        clock.advance(path.includes("2026-11-09 09:00/") ? 20_000 : 1);
        return [];
      };
      const query = { ids: "s1", from: "2026-11-01T00:00:00Z", to: "2026-11-21T00:00:00Z", buckets: "20" };
      const [part] = (await history(query)).series;
      expect(part?.missing).toEqual([{ from: "2026-11-01T00:00:00.000Z", to: "2026-11-09T00:00:00.000Z" }]);
      expect(part?.count).toHaveLength(20);
      const before = asked.length;
      const [whole] = (await history(query)).series;
      expect(whole?.missing).toBeUndefined();
      expect(asked.length - before).toBe(4);
    });

    it("[history] returns several sensors in one call, in order", async () => {
      answer = (path) =>
        path.includes("/s2/") ? [buildLogEntry({ createdDate: "2026-11-21 12:01:00", moisture: 7 })] : [];
      const { series } = await history({ ...hour, ids: "s1,s2,s1", fields: "moisture" });
      expect(series.map(({ sensorId, count }) => [sensorId, count[0]])).toEqual([
        ["s1", 0],
        ["s2", 1],
      ]);
    });
  });

  describe("from the API's buckets", () => {
    beforeEach(() => {
      extensions = ["log-buckets"];
    });
    const bucket = (createdDate: string, fields: object = {}) => ({
      createdDate,
      count: Object.keys(fields).length,
      ...fields,
    });

    it("[history] requests whole buckets of the grid, and uses values and statistics as they are", async () => {
      answer = () => ({
        data: [
          bucket("2026-11-21 12:00:00", { moisture: { min: 1, max: 3, avg: 2, last: 3 }, rssi: { avg: 1 } }),
          bucket("2026-11-21 12:30:00"),
        ],
        maxMoisture: 3,
        minmoisture: 1,
        avgMoisture: 2,
        moistureVariation: 0.5,
      });
      const { source, series } = await history({ ...hour, buckets: "2", fields: "moisture,windD" });
      expect(asked[0]?.path).toBe(
        "/api/v1/sensor/read/log/s1/2026-11-21 12:00:00/2026-11-21 12:59:59?buckets=2&fields=moisture,windD",
      );
      expect(source).toBe("log-buckets");
      expect(series).toEqual([
        {
          sensorId: "s1",
          start: "2026-11-21T03:00:00.000Z",
          step: 1_800_000,
          count: [2, 0],
          fields: {
            moisture: {
              min: [1, null],
              max: [3, null],
              avg: [2, null],
              last: [3, null],
              statistics: { max: 3, min: 1, avg: 2, variance: 0.5 },
            },
          },
        },
      ]);
    });

    it("[history] gives a direction no band, whatever the API returns", async () => {
      answer = () => ({
        data: [bucket("2026-11-21 12:00:00", { windD: { min: 1, max: 359, avg: 0, last: 359 } })],
      });
      const { series } = await history({ ...hour, buckets: "1" });
      expect(series[0]?.fields.windD).toMatchObject({ min: [null], max: [null], avg: [0], last: [359] });
    });

    it("[ONL-6] computes buckets itself if the API's contain rows from the future", async () => {
      const future = zone.toApi(clock.now() + 3_600_000);
      answer = (path) =>
        path.includes("buckets=")
          ? { data: [bucket("2026-11-21 12:00:00"), bucket(future, { moisture: { avg: 99 } })] }
          : [buildLogEntry({ createdDate: "2026-11-21 12:11:00", moisture: 7 })];
      const { source, series } = await history(hour);
      expect([source, series[0]?.count]).toEqual(["computed", [0, 1, 0, 0, 0, 0]]);
    });

    it("[history] computes buckets itself if the API's are not regular", async () => {
      answer = (path) =>
        path.includes("buckets=")
          ? { data: ["12:00", "12:10", "12:30"].map((time) => bucket(`2026-11-21 ${time}:00`)) }
          : [buildLogEntry({ createdDate: "2026-11-21 12:11:00", moisture: 7 })];
      const { source, series } = await history(hour);
      expect([source, series[0]?.count]).toEqual(["computed", [0, 1, 0, 0, 0, 0]]);
    });
  });

  describe("refusals", () => {
    it("[history] nothing without a token", async () => {
      expect(await ask(hour, null)).toMatchObject({ status: 401, body: { code: "unauthorized" } });
      expect(asked).toEqual([]);
    });

    it.each([
      ["from", { ...hour, from: "2026-11-21 12:00" }],
      ["to", { ...hour, to: "2026-11-21T03:00:00Z" }],
      ["to", { ...hour, from: "2000-01-01T00:00:00Z" }],
      ["buckets", { ...hour, buckets: "2001" }],
      ["ids", { from: hour.from, to: hour.to }],
      ["channels", { from: hour.from, to: hour.to, channels: "s1" }],
      ["channels", { from: hour.from, to: hour.to, channels: "s1:9" }],
      ["ids", { ...hour, ids: Array.from({ length: 101 }, (_, index) => `s${index}`).join(",") }],
      ["fields", { ...hour, fields: Array.from({ length: 51 }, (_, index) => `f${index}`).join(",") }],
    ])("[history] 422 that names %s", async (field, query) => {
      expect(await ask(query)).toMatchObject({
        status: 422,
        body: { code: "validation", errors: [{ field }] },
      });
      expect(asked).toEqual([]);
    });

    it.each(["1e309", "Infinity", "9".repeat(400), "-1", "1.5", "NaN"])(
      "[history] 422 for %s buckets",
      async (buckets) => {
        expect((await ask({ ...hour, buckets })).status).toBe(422);
        expect(asked).toEqual([]);
      },
    );

    it("[history] 422 for a range of raw rows that would take too many requests", async () => {
      const ids = Array.from({ length: 100 }, (_, index) => `s${index}`).join(",");
      const from = new Date(at(hour.to) - 30 * 86_400_000).toISOString();
      expect(await ask({ ...hour, ids, from })).toMatchObject({
        status: 422,
        body: { errors: [{ field: "to" }] },
      });
      expect(asked).toEqual([]);
    });

    it("[SHARE-1] answers an account while another one's many requests are in progress", async () => {
      farm.grant("token-b", "account-b");
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      answer = (path) => (path.includes("s1") ? [] : held.then(() => []));
      const many = ask({ ...hour, ids: Array.from({ length: 40 }, (_, n) => `many-${n}`).join(",") });
      await expect.poll(() => asked.length).toBe(4);
      expect((await ask(hour, "token-b")).status).toBe(200);
      expect(asked.filter(({ token }) => token === "token-a")).toHaveLength(4);
      release();
      expect((await many).status).toBe(200);
    });

    it("[history] passes on the API's refusal of another account's sensor", async () => {
      answer = () => {
        throw new UpstreamStatusError("404", 404, "not-found", null);
      };
      expect(await ask(hour)).toMatchObject({ status: 404, body: { code: "not-found" } });
    });

    it("[AUTH-4] a 401 of the API rejects the token", async () => {
      answer = () => {
        throw new UpstreamStatusError("401", 401, "unauthorized", null);
      };
      expect(await ask(hour)).toMatchObject({ status: 401, body: { code: "unauthorized" } });
      expect(farm.rejected).toEqual(["token-a"]);
    });

    it("[history] 503 upstream-down while the API is unavailable", async () => {
      answer = () => {
        throw new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
      };
      expect(await ask(hour)).toMatchObject({ status: 503, body: { code: "upstream-down" } });
    });
  });
});

import { LogEntry } from "@mulkko/shared/entities/log-entry";
import { MAX_BUCKETS } from "@mulkko/shared/rest/log";
import { latestOfMany, latestReceived, latestStored, logRange } from "@mulkko/shared/rest/operations/logs";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { Nullable } from "@mulkko/shared/schema/nullable";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf, ownerFilter } from "../accounts/auth.ts";
import { deviceOfCaller } from "../devices/access.ts";
import { findSensors, type SensorHead } from "../devices/sensor-repository.ts";
import { bucketsAnswer, statisticsAnswer, stepOf } from "../history/query/answer.ts";
import { readBuckets, readTotal } from "../history/query/buckets.ts";
import { latestReadingOf, readingOf } from "../history/query/columns.ts";
import { latestEntryOf, logEntryOf } from "../history/query/log-entry.ts";
import { totalOf } from "../history/query/part.ts";
import { rangeOf } from "../history/query/range.ts";
import { type LogSource, MAX_ROWS, readLatest, readRows } from "../history/query/repository.ts";
import { ApiError, notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import { type App, sendJson } from "../http/server.ts";

/** Most ids in one request for many sensors' newest readings. */
const MAX_IDS = 500;

const RangeQuery = Type.Object({
  buckets: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_BUCKETS })),
  fields: Type.Optional(Type.String({ maxLength: 1_000 })),
});
const tags = ["log"];
const Row = Type.Object(LogEntry.properties, { additionalProperties: true });
const RangeAnswer = Type.Object({ data: Type.Array(Row) }, { additionalProperties: true });
const ManyIds = Type.Object({ ids: Type.String({ minLength: 1, maxLength: MAX_IDS * 37 }) });

/** A COT sensor's own log is that of its first channel. */
const sourceOf = ({ id, device_type }: SensorHead): LogSource => ({
  deviceId: id,
  deviceType: device_type,
  channel: device_type === "COT" ? 1 : null,
});

/** Serve a sensor's readings: the newest, and ranges with statistics, as rows or in buckets. */
export const logRoutes = fp<{ zone: ApiTimeZone; clock: Clock }>(
  async (app: App, { zone, clock }) => {
    const { database } = app;
    const onRequest = app.authenticate;

    const sensorOf = async (request: FastifyRequest, id: string): Promise<SensorHead> => {
      const [sensor] = await findSensors(database, [uuidOf(id, "sensor")], ownerFilter(callerOf(request)));
      if (!sensor) throw notFound("sensor");
      return sensor;
    };

    const newestStored = async (
      sensors: readonly Pick<SensorHead, "id" | "device_type">[],
    ): Promise<Record<string, LogEntry | null>> => {
      const latest = await readLatest(database, sensors);
      const answer: Record<string, LogEntry | null> = {};
      for (const { id, device_type } of sensors) {
        const row = latest.get(id);
        answer[id] = row ? latestEntryOf(latestReadingOf(row), device_type, zone) : null;
      }
      return answer;
    };

    app.route({
      ...routeOf(logRange, {
        tags,
        summary:
          "Readings of a range with statistics, averages and variances by time; in regular buckets with `buckets` (extension log-buckets)",
        querystring: RangeQuery,
      }),
      onRequest,
      config: { documented: { answer: RangeAnswer } },
      async handler(request) {
        const { id, start, end } = request.params;
        const source = sourceOf(await sensorOf(request, id));
        const range = rangeOf(start, end, zone);
        const { buckets: count, fields } = request.query;
        if (count === undefined) {
          const rows = await readRows(database, source, range);
          const total = await readTotal(database, clock, { source, range });
          return {
            data: rows.map((row) => logEntryOf(readingOf(row), source.deviceType, zone)),
            ...statisticsAnswer(total, source.deviceType),
            ...(rows.length >= MAX_ROWS ? { truncated: true } : {}),
          };
        }
        const step = stepOf(range, count);
        const only = fields ? new Set(fields.split(",").map((name) => name.trim())) : undefined;
        const buckets = await readBuckets(database, clock, { source, range, step, only });
        return {
          data: bucketsAnswer(buckets, range, step, source.deviceType, zone),
          ...statisticsAnswer(totalOf(buckets), source.deviceType),
        };
      },
    });

    app.route({
      ...routeOf(latestStored, { tags, summary: "The newest stored reading, or null" }),
      onRequest,
      config: { documented: { answer: Nullable(Row) } },
      async handler(request, reply) {
        const sensor = await sensorOf(request, request.params.id);
        const entry = (await newestStored([sensor]))[sensor.id] ?? null;
        return sendJson(reply, entry);
      },
    });

    app.route({
      ...routeOf(latestReceived, {
        tags,
        summary: "The newest accepted reading, stored yet or not, or null",
      }),
      onRequest,
      config: { documented: { answer: Nullable(Row) } },
      async handler(request, reply) {
        const sensor = await sensorOf(request, request.params.id);
        const accepted = app.ingest.newest(sensor.id);
        const backAt = app.alerts.backAt(sensor.id);
        const entry = accepted
          ? latestEntryOf({ ...accepted, ...(backAt !== null && { backAt }) }, sensor.device_type, zone)
          : ((await newestStored([sensor]))[sensor.id] ?? null);
        return sendJson(reply, entry);
      },
    });

    app.route({
      ...routeOf(latestOfMany, {
        tags,
        summary: "The newest stored reading of up to 500 sensors (extension latest-bulk)",
        querystring: ManyIds,
      }),
      onRequest,
      config: { documented: { answer: Type.Record(Type.String(), Nullable(Row)) } },
      async handler(request) {
        const ids = request.query.ids.split(",").map((id) => uuidOf(id.trim(), "sensor"));
        if (ids.length > MAX_IDS) {
          throw new ApiError(422, "validation", `at most ${MAX_IDS} ids`, { field: "ids" });
        }
        const caller = callerOf(request);
        const sensors = [...new Set(ids)].map((id) => deviceOfCaller(app.deviceIndex, caller, id, "sensor"));
        return newestStored(sensors.map(({ id, type }) => ({ id, device_type: type })));
      },
    });
  },
  { name: "log", dependencies: ["database", "broker", "auth", "errors"] },
);

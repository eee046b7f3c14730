import { Controller } from "@mulkko/shared/entities/controller";
import { ControllerState } from "@mulkko/shared/entities/controller-state";
import { Farm } from "@mulkko/shared/entities/farm";
import { LogEntry } from "@mulkko/shared/entities/log-entry";
import { Notification } from "@mulkko/shared/entities/notification";
import { Sensor } from "@mulkko/shared/entities/sensor";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Nullable } from "@mulkko/shared/schema/nullable";
import Type, { type Static } from "typebox";
import { UpstreamError, UpstreamStatusError } from "./errors.ts";
import { type Asking, createPolledReader, type PolledReaderParts } from "./polled-reader.ts";

type Id = string | number;

/** A row of a COT log. */
export const CotRow = Type.Object({
  createdDate: Type.String(),
  valve: Type.Optional(Nullable(Type.Union([Type.Integer(), Type.String()]))),
  moisture: Type.Optional(Nullable(Type.Number())),
});
export type CotRow = Static<typeof CotRow>;

/** The polls of one account, each with the best credential that it has. All reject with an `UpstreamError`. */
export interface AccountApi {
  /** A COT sensor with its channels: one of which the list does not say how many it has is asked for them. */
  sensors(asking: Asking): Promise<Sensor[]>;
  farms(asking: Asking): Promise<Farm[]>;
  /** With their channels: a list that leaves them out is completed one by one. */
  controllers(asking: Asking): Promise<Controller[]>;
  notifications(asking: Asking): Promise<Notification[]>;
  latest(sensorId: Id, asking: Asking): Promise<LogEntry | null>;
  /** null also where the API knows no such thing of the sensor (404). */
  latestMqtt(sensorId: Id, asking: Asking): Promise<LogEntry | null>;
  refresh(serial: Id, channelId: Id, asking: Asking): Promise<ControllerState>;
  moisture(channelId: Id, asking: Asking): Promise<number | null>;
  /** Rows of a sensor's log, times in the API's zone. */
  log(id: Id, start: string, end: string, asking: Asking): Promise<LogEntry[]>;
  /** Rows of a COT sensor's or controller's log, times in the API's zone. */
  cotLog(id: Id, number: number, start: string, end: string, asking: Asking): Promise<CotRow[]>;
}

const isMissing = (error: unknown): boolean => error instanceof UpstreamStatusError && error.status === 404;

const Channels = Type.Object({ chNums: Type.Optional(Nullable(Type.Integer())) });
const Rows = Type.Array(Type.Unknown());
const LogAnswer = Type.Union([Rows, Type.Object({ data: Rows })]);
const Amount = Nullable(Type.Union([Type.Number(), Type.String()]));

export function createAccountApi(parts: PolledReaderParts): AccountApi {
  const { get, list, rowsOf } = createPolledReader(parts);
  /** Channels of COT sensors, as they were said last: an answer that fails takes none away. */
  const known = new Map<string, number>();

  const withChannels = async (sensor: Sensor, asking: Asking): Promise<Sensor> => {
    if (sensor.deviceType !== "COT" || typeof sensor.chNums === "number") return sensor;
    const id = String(sensor.id);
    try {
      const { chNums } = await get("sensor", apiPath.sensor(id), Channels, { urgent: asking.urgent });
      if (typeof chNums === "number") known.set(id, chNums);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      parts.log.debug({ sensorId: id, err: error }, "a COT sensor's channels were not told");
    }
    return { ...sensor, chNums: known.get(id) ?? null };
  };

  return {
    async sensors(asking) {
      const found = await list("sensors", apiPath.sensors, Sensor, asking);
      const present = new Set(found.map(({ id }) => String(id)));
      for (const id of known.keys()) if (!present.has(id)) known.delete(id);
      return Promise.all(found.map((sensor) => withChannels(sensor, asking)));
    },
    farms: (asking) => list("farms", apiPath.clusters, Farm, asking),
    async controllers(asking) {
      const found = await list("controllers", apiPath.controllers, Controller, asking);
      return Promise.all(
        found.map((controller) =>
          controller.channels === undefined || controller.channels === null
            ? get("controller", apiPath.controller(controller.id), Controller, asking)
            : controller,
        ),
      );
    },
    notifications: (asking) => list("notifications", apiPath.notifications, Notification, asking),
    latest: (id, asking) => get("latest", apiPath.latest(id), Nullable(LogEntry), asking),
    latestMqtt: (id, asking) =>
      get("latest-mqtt", apiPath.latestMqtt(id), Nullable(LogEntry), asking).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
    refresh: (serial, channelId, asking) =>
      get("refresh", apiPath.refreshState(serial, channelId), ControllerState, asking),
    async moisture(channelId, asking) {
      const answer = await get("moisture", apiPath.moisture(channelId), Amount, asking);
      const number = answer === null || answer === "" ? Number.NaN : Number(answer);
      return Number.isFinite(number) ? number : null;
    },
    async log(id, start, end, asking) {
      const answer = await get("log", apiPath.log(id, start, end), LogAnswer, asking);
      return rowsOf("log", LogEntry, Array.isArray(answer) ? answer : answer.data);
    },
    async cotLog(id, number, start, end, asking) {
      const answer = await get("cot-log", apiPath.cotLog(id, number, start, end), LogAnswer, asking);
      return rowsOf("cot-log", CotRow, Array.isArray(answer) ? answer : answer.data);
    },
  };
}

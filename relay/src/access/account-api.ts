import { Controller } from "@mulkko/shared/entities/controller";
import { ControllerState } from "@mulkko/shared/entities/controller-state";
import { Farm } from "@mulkko/shared/entities/farm";
import { LogEntry } from "@mulkko/shared/entities/log-entry";
import { Notification } from "@mulkko/shared/entities/notification";
import { Sensor } from "@mulkko/shared/entities/sensor";
import {
  channelMoisture,
  channelState,
  controllerList,
  controllerRead,
} from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { cotLog, latestReceived, latestStored, logRange } from "@mulkko/shared/rest/operations/logs";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList, sensorRead } from "@mulkko/shared/rest/operations/sensors";
import type { ApiClock } from "@mulkko/shared/rules/zoneless-time";
import { Id } from "@mulkko/shared/schema/id";
import { Nullable } from "@mulkko/shared/schema/nullable";
import Type, { type Static, type TSchema } from "typebox";
import type { Log as Logger } from "../runtime/log.ts";
import { UpstreamError, UpstreamStatusError } from "../upstream/errors.ts";
import type { Asking, PolledReader } from "./polled-reader.ts";

type AnyId = string | number;

/** A row of a COT log. */
export const CotRow = Type.Object({
  createdDate: Type.String({ default: "" }),
  valve: Type.Optional(Nullable(Type.Union([Type.Integer(), Type.String()]))),
  moisture: Type.Optional(Nullable(Type.Number())),
});
export type CotRow = Static<typeof CotRow>;

/** A farm in a list: its name is optional, and the ids of its sensors suffice. */
export const ListedFarm = Type.Object({
  ...Farm.properties,
  name: Type.Optional(Nullable(Type.String())),
  sensors: Type.Optional(Nullable(Type.Array(Type.Object({ id: Id })))),
});
export type ListedFarm = Static<typeof ListedFarm>;

/** Polls of one account, each with the best credential available. All reject with an `UpstreamError`. */
export interface AccountApi {
  /** The clock of the times that the API names without a zone. */
  readonly clock: ApiClock;
  /** Return sensors; a COT sensor is asked for its number of channels if the list omits it. */
  sensors(asking: Asking): Promise<Sensor[]>;
  farms(asking: Asking): Promise<ListedFarm[]>;
  /** Return controllers with their channels; missing channels are requested one controller at a time. */
  controllers(asking: Asking): Promise<Controller[]>;
  notifications(asking: Asking): Promise<Notification[]>;
  latest(sensorId: AnyId, asking: Asking): Promise<LogEntry | null>;
  /** null also if the API answers 404 for the sensor. */
  latestMqtt(sensorId: AnyId, asking: Asking): Promise<LogEntry | null>;
  refresh(serial: AnyId, channelId: AnyId, asking: Asking): Promise<ControllerState>;
  moisture(channelId: AnyId, asking: Asking): Promise<number | null>;
  /** Return rows of a sensor's log, with times in the API's zone. */
  log(id: AnyId, start: string, end: string, asking: Asking): Promise<LogEntry[]>;
  /** Return rows of a COT sensor's or controller's log, with times in the API's zone. */
  cotLog(id: AnyId, number: number, start: string, end: string, asking: Asking): Promise<CotRow[]>;
}

const isMissing = (error: unknown): boolean => error instanceof UpstreamStatusError && error.status === 404;

const Channels = Type.Object({ chNums: Type.Optional(Nullable(Type.Integer())) });
const rows = <S extends TSchema>(row: S) => Nullable(Type.Array(row));
const Sensors = rows(Sensor);
const Farms = rows(ListedFarm);
const Controllers = rows(Controller);
const Notifications = rows(Notification);
/** Several types of device add statistics to their rows. */
const logOf = <S extends TSchema>(row: S) =>
  Nullable(Type.Union([Type.Array(row), Type.Object({ data: rows(row) })]));
const Log = logOf(LogEntry);
const CotLog = logOf(CotRow);
const Amount = Nullable(Type.Union([Type.Number(), Type.String()]));

export function createAccountApi({ get }: PolledReader, clock: ApiClock, logger: Logger): AccountApi {
  /** Last known number of channels per COT sensor: a failed answer removes none. */
  const known = new Map<string, number>();

  const withChannels = async (sensor: Sensor, asking: Asking): Promise<Sensor> => {
    if (sensor.deviceType !== "COT" || typeof sensor.chNums === "number") return sensor;
    const id = String(sensor.id);
    try {
      const { chNums } = await get("sensor", pathTo(sensorRead, { id }), Channels, { urgent: asking.urgent });
      if (typeof chNums === "number") known.set(id, chNums);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      logger.debug(
        { event: "cot-channels-unread", sensorId: id, err: error },
        "failed to read channels of COT sensor",
      );
    }
    return { ...sensor, chNums: known.get(id) ?? null };
  };

  return {
    clock,
    async sensors(asking) {
      const found = (await get("sensors", sensorList.path, Sensors, asking)) ?? [];
      const present = new Set(found.map(({ id }) => String(id)));
      for (const id of known.keys()) if (!present.has(id)) known.delete(id);
      return Promise.all(found.map((sensor) => withChannels(sensor, asking)));
    },
    farms: async (asking) => (await get("farms", clusterList.path, Farms, asking)) ?? [],
    async controllers(asking) {
      const found = (await get("controllers", controllerList.path, Controllers, asking)) ?? [];
      return Promise.all(
        found.map((controller) =>
          controller.channels === undefined || controller.channels === null
            ? get("controller", pathTo(controllerRead, { id: controller.id }), Controller, asking)
            : controller,
        ),
      );
    },
    notifications: async (asking) =>
      (await get("notifications", notificationList.path, Notifications, asking)) ?? [],
    latest: (id, asking) => get("latest", pathTo(latestStored, { id }), Nullable(LogEntry), asking),
    latestMqtt: (id, asking) =>
      get("latest-mqtt", pathTo(latestReceived, { id }), Nullable(LogEntry), asking).catch(
        (error: unknown) => {
          if (isMissing(error)) return null;
          throw error;
        },
      ),
    refresh: (serial, channelId, asking) =>
      get("refresh", pathTo(channelState, { serial, channelId }), ControllerState, asking),
    async moisture(channelId, asking) {
      const answer = await get("moisture", pathTo(channelMoisture, { channelId }), Amount, asking);
      const number = answer === null || answer === "" ? Number.NaN : Number(answer);
      return Number.isFinite(number) ? number : null;
    },
    async log(id, start, end, asking) {
      const answer = await get("log", pathTo(logRange, { id, start, end }), Log, asking);
      return (Array.isArray(answer) ? answer : answer?.data) ?? [];
    },
    async cotLog(id, number, start, end, asking) {
      const answer = await get(
        "cot-log",
        pathTo(cotLog, { id, channel: number, start, end }),
        CotLog,
        asking,
      );
      return (Array.isArray(answer) ? answer : answer?.data) ?? [];
    },
  };
}

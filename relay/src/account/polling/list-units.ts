import type { AccountApi } from "../../upstream/account-api.ts";
import type { UpstreamError } from "../../upstream/errors.ts";
import type { DeviceIndex } from "../device-index.ts";
import type { NotificationHandler } from "../notification-handler.ts";
import { EMPTY_AGAIN_MS, type EmptyLists } from "./empty-lists.ts";
import { listInterval, type Pace, type PollIntervals } from "./poll-pacing.ts";
import type { PollUnit } from "./poll-units.ts";
import type { SensorLog } from "./sensor-units.ts";

export interface ListUnitsDeps {
  readonly api: AccountApi;
  readonly deviceIndex: DeviceIndex;
  readonly notifications: NotificationHandler;
  /** Receives the newest log of each sensor of the list. */
  readonly sensorLog: SensorLog;
  readonly empty: EmptyLists;
  /** Make a list due after a delay. */
  readonly again: (list: string, inMs: number) => void;
  readonly pace: () => Pace;
  readonly intervals: PollIntervals;
  /** Called when the list that every account needs was answered. */
  readonly onSensors: () => void;
  readonly onFailed: (
    unit: "sensors" | "farms" | "controllers" | "notifications",
    error: UpstreamError,
  ) => void;
}

/** Return the poll units of an account's lists (POLL-1). */
export function listUnits(deps: ListUnitsDeps): PollUnit[] {
  const { api, deviceIndex, intervals } = deps;
  const unit = (
    name: "sensors" | "farms" | "controllers" | "notifications",
    row: "list" | "places" | "notifications",
    ask: PollUnit["ask"],
  ): PollUnit => ({
    name,
    interval: () => listInterval(row, deps.pace(), intervals),
    stretches: () => true,
    urgent: () => false,
    ask,
    failed: (error) => deps.onFailed(name, error),
  });
  const accept = (
    list: string,
    prefix: "sensor:" | "controller:" | "farm:",
    rows: readonly unknown[],
  ): boolean => {
    const isBelieved = deps.empty.isBelieved(list, rows.length, deviceIndex.has(prefix));
    if (!isBelieved) deps.again(list, EMPTY_AGAIN_MS);
    return isBelieved;
  };
  return [
    unit("sensors", "list", async (asking) => {
      const sensors = await api.sensors(asking);
      if (accept("sensors", "sensor:", sensors)) deviceIndex.sensors(sensors);
      deps.onSensors();
      deps.sensorLog.listed(sensors.some((sensor) => sensor.latestLog !== undefined));
      for (const sensor of sensors) {
        if (sensor.latestLog !== undefined) deps.sensorLog.answered(String(sensor.id), sensor.latestLog);
      }
    }),
    unit("controllers", "places", async (asking) => {
      const controllers = await api.controllers(asking);
      if (accept("controllers", "controller:", controllers)) deviceIndex.controllers(controllers);
    }),
    unit("farms", "places", async (asking) => {
      const farms = await api.farms(asking);
      if (accept("farms", "farm:", farms)) deviceIndex.farms(farms);
    }),
    unit("notifications", "notifications", async (asking) =>
      deps.notifications.list(await api.notifications(asking)),
    ),
  ];
}

import { listInterval, type Pace, type PollIntervals } from "../core/poll-pacing.ts";
import type { Directory } from "../owner/directory.ts";
import type { NotificationIntake } from "../owner/notification-intake.ts";
import type { AccountApi } from "../upstream/account-api.ts";
import type { UpstreamError } from "../upstream/errors.ts";
import type { PollUnit } from "./poll-units.ts";
import type { SensorLog } from "./sensor-units.ts";

export interface ListUnitsParts {
  readonly api: AccountApi;
  readonly directory: Directory;
  readonly notifications: NotificationIntake;
  /** Where newest logs go; called for each sensor of the list. */
  readonly sensorLog: SensorLog;
  readonly pace: () => Pace;
  readonly intervals: PollIntervals;
  /** The list without which an account cannot be shown was answered. */
  readonly onSensors: () => void;
  readonly onFailed: (
    unit: "sensors" | "farms" | "controllers" | "notifications",
    error: UpstreamError,
  ) => void;
}

/** The units that list what an account has (POLL-1). */
export function listUnits(parts: ListUnitsParts): PollUnit[] {
  const { api, directory, intervals } = parts;
  const unit = (
    name: "sensors" | "farms" | "controllers" | "notifications",
    row: "list" | "places" | "notifications",
    ask: PollUnit["ask"],
  ): PollUnit => ({
    name,
    interval: () => listInterval(row, parts.pace(), intervals),
    stretches: () => true,
    urgent: () => false,
    ask,
    failed: (error) => parts.onFailed(name, error),
  });
  return [
    unit("sensors", "list", async (asking) => {
      const sensors = await api.sensors(asking);
      directory.sensors(sensors);
      parts.onSensors();
      parts.sensorLog.listed(sensors.some((sensor) => sensor.latestLog !== undefined));
      for (const sensor of sensors) {
        if (sensor.latestLog !== undefined) parts.sensorLog.answered(String(sensor.id), sensor.latestLog);
      }
    }),
    unit("controllers", "places", async (asking) => directory.controllers(await api.controllers(asking))),
    unit("farms", "places", async (asking) => directory.farms(await api.farms(asking))),
    unit("notifications", "notifications", async (asking) =>
      parts.notifications.list(await api.notifications(asking)),
    ),
  ];
}

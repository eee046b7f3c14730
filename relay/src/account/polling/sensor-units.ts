import type { LogEntry } from "@mulkko/shared/entities/log-entry";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import type { AccountApi } from "../../upstream/account-api.ts";
import type { ClockSuspicion } from "../clock-suspicion.ts";
import type { DeviceHandler } from "../device-handler.ts";
import type { DeviceIndex } from "../device-index.ts";
import { polledReading } from "../normalise-reading.ts";
import type { PresenceWatch } from "../presence-watch.ts";
import { latestInterval, latestMqttInterval, type Pace, type PollIntervals } from "./poll-pacing.ts";
import type { PollUnit } from "./poll-units.ts";

/** Receives the newest logs of sensors from any answer of the API. */
export interface SensorLog {
  /** Record if the sensor list carries newest logs. */
  listed(carries: boolean): void;
  readonly listCarries: boolean;
  /** Apply an answer about one sensor; null: it has no log. */
  answered(sensorId: string, entry: LogEntry | null): void;
  forget(sensorId: string): void;
}

export interface SensorLogDeps {
  readonly deviceIndex: DeviceIndex;
  readonly handler: DeviceHandler;
  readonly watch: PresenceWatch;
  readonly suspicion: ClockSuspicion;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly onNews: (news: boolean) => void;
}

export function createSensorLog(deps: SensorLogDeps): SensorLog {
  const { deviceIndex, handler, watch, suspicion, zone, clock } = deps;
  const seen = new Map<string, number>();
  let carries = false;
  return {
    listed(does) {
      carries = does;
    },
    get listCarries() {
      return carries;
    },
    forget(sensorId) {
      seen.delete(sensorId);
      suspicion.forget(sensorId);
    },
    answered(sensorId, entry) {
      const type = deviceIndex.sensorType(sensorId);
      if (type === undefined) return;
      const reading = entry === null ? null : polledReading(entry, zone);
      if (reading === null) {
        watch.answered(sensorKey(sensorId));
        return;
      }
      // Record the lag before judging the device, so that a wrong clock makes no device offline.
      const before = seen.get(sensorId);
      if (before === undefined || reading.at > before) {
        suspicion.note(sensorId, clock.now() - reading.at, before !== undefined);
        seen.set(sensorId, reading.at);
      }
      deps.onNews(handler.reading(sensorId, reading));
    },
  };
}

export interface SensorUnitsDeps {
  readonly api: AccountApi;
  readonly log: SensorLog;
  readonly watch: PresenceWatch;
  readonly pace: (key: string) => Pace;
  readonly intervals: PollIntervals;
  /** Apply the changed interval of a unit. */
  readonly reschedule: (unit: string) => void;
}

export const latestMqttUnit = (sensorId: string): string => `latest-mqtt:${sensorId}`;
export const latestUnit = (sensorId: string): string => `latest:${sensorId}`;

/** Return the two units of a watched sensor: the newest message accepted, and the newest log stored. */
export function sensorUnits(sensorId: string, deps: SensorUnitsDeps): PollUnit[] {
  const { api, log, intervals } = deps;
  const key = sensorKey(sensorId);
  let silent = false;
  const common = {
    stretches: () => true,
    urgent: () => false,
  };
  return [
    {
      ...common,
      name: latestMqttUnit(sensorId),
      interval: () => latestMqttInterval(deps.pace(key), silent, intervals),
      async ask(asking) {
        const entry = await api.latestMqtt(sensorId, asking);
        if (silent !== (entry === null)) {
          silent = entry === null;
          deps.reschedule(latestUnit(sensorId));
        }
        if (entry !== null) log.answered(sensorId, entry);
      },
    },
    {
      ...common,
      name: latestUnit(sensorId),
      interval: () => latestInterval(deps.pace(key), { listed: log.listCarries, alone: silent }, intervals),
      async ask(asking) {
        log.answered(sensorId, await api.latest(sensorId, asking));
      },
      failed: () => deps.watch.failed(key),
    },
  ];
}

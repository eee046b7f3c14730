import type { LogEntry } from "@mulkko/shared/entities/log-entry";
import { sensorKey } from "@mulkko/shared/live/keys";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { ClockSuspicion } from "../core/clock-suspicion.ts";
import { polledReading } from "../core/normalise-reading.ts";
import { latestInterval, latestMqttInterval, type Pace, type PollIntervals } from "../core/poll-pacing.ts";
import type { DeviceIntake } from "../owner/device-intake.ts";
import type { Directory } from "../owner/directory.ts";
import type { PresenceWatch } from "../owner/presence-watch.ts";
import type { AccountApi } from "../upstream/account-api.ts";
import type { PollUnit } from "./poll-units.ts";

/** What the API says of sensors' newest logs, whatever it was asked. */
export interface SensorLog {
  /** Whether the sensor list carries newest logs. */
  listed(carries: boolean): void;
  readonly listCarries: boolean;
  /** An answer about one sensor; null: it has no log. */
  answered(sensorId: string, entry: LogEntry | null): void;
  forget(sensorId: string): void;
}

export interface SensorLogParts {
  readonly directory: Directory;
  readonly intake: DeviceIntake;
  readonly watch: PresenceWatch;
  readonly suspicion: ClockSuspicion;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly onNews: (news: boolean) => void;
}

export function createSensorLog(parts: SensorLogParts): SensorLog {
  const { directory, intake, watch, suspicion, zone, clock } = parts;
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
      const type = directory.sensorType(sensorId);
      if (type === undefined) return;
      const reading = entry === null ? null : polledReading(type, entry, zone);
      if (reading === null) {
        watch.answered(sensorKey(sensorId));
        return;
      }
      // The lag is noted before the verdict on the device, so that a wrong clock calls nobody offline.
      const before = seen.get(sensorId);
      if (before === undefined || reading.at > before) {
        suspicion.note(sensorId, clock.now() - reading.at, before !== undefined);
        seen.set(sensorId, reading.at);
      }
      parts.onNews(intake.reading(sensorId, reading));
    },
  };
}

export interface SensorUnitsParts {
  readonly api: AccountApi;
  readonly log: SensorLog;
  readonly watch: PresenceWatch;
  readonly pace: (key: string) => Pace;
  readonly intervals: PollIntervals;
  /** The interval of a unit is another now. */
  readonly reschedule: (unit: string) => void;
}

export const latestMqttUnit = (sensorId: string): string => `latest-mqtt:${sensorId}`;
export const latestUnit = (sensorId: string): string => `latest:${sensorId}`;

/** The two units of a sensor on some screen: the newest message accepted, and the newest log stored. */
export function sensorUnits(sensorId: string, parts: SensorUnitsParts): PollUnit[] {
  const { api, log, intervals } = parts;
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
      interval: () => latestMqttInterval(parts.pace(key), silent, intervals),
      async ask(asking) {
        const entry = await api.latestMqtt(sensorId, asking);
        if (silent !== (entry === null)) {
          silent = entry === null;
          parts.reschedule(latestUnit(sensorId));
        }
        if (entry !== null) log.answered(sensorId, entry);
      },
    },
    {
      ...common,
      name: latestUnit(sensorId),
      interval: () => latestInterval(parts.pace(key), { listed: log.listCarries, alone: silent }, intervals),
      async ask(asking) {
        log.answered(sensorId, await api.latest(sensorId, asking));
      },
      failed: () => parts.watch.failed(key),
    },
  ];
}

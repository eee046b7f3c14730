import { parseDeviceKey, sensorKey } from "@mulkko/shared/live/keys";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Random } from "@mulkko/shared/rules/clock";
import type { ClockSuspicion } from "../core/clock-suspicion.ts";
import { channelInterval, listInterval, type Pace, type PollIntervals } from "../core/poll-pacing.ts";
import type { Touched } from "../core/touched.ts";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import type { AccountWriter } from "../ports/writer.ts";
import {
  type ChannelUnitsParts,
  channelUnits,
  controllerLogName,
  controllerLogUnit,
  moistureUnit,
} from "../sources/channel-units.ts";
import { listUnits } from "../sources/list-units.ts";
import { createPollUnits, type PollUnits } from "../sources/poll-units.ts";
import { createSensorLog, latestMqttUnit, latestUnit, sensorUnits } from "../sources/sensor-units.ts";
import type { AccountApi } from "../upstream/account-api.ts";
import { NoAccessError, UpstreamError, UpstreamStatusError } from "../upstream/errors.ts";
import type { DeviceIntake } from "./device-intake.ts";
import type { Directory } from "./directory.ts";
import type { NotificationIntake } from "./notification-intake.ts";
import type { PresenceWatch } from "./presence-watch.ts";

export interface AccountPollingParts {
  readonly accountId: string;
  readonly api: AccountApi;
  readonly directory: Directory;
  readonly intake: DeviceIntake;
  readonly notifications: NotificationIntake;
  readonly watch: PresenceWatch;
  readonly writer: AccountWriter;
  readonly suspicion: ClockSuspicion;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
  readonly intervals: PollIntervals;
  /** Some active viewer looks at the key; without a key: at anything. */
  readonly watches: (key?: string) => boolean;
  /** The API's MQTT output is heard. */
  readonly heard: () => boolean;
  readonly stretch: () => number;
  /** The API lets the account be read, or does so no more. */
  readonly onAccess: (has: boolean) => void;
  readonly claim: (unit: string) => Promise<void>;
  readonly onUnclaimed: () => void;
  readonly claimedAgo: (unit: string) => number | undefined;
  readonly onNews: (news: boolean) => void;
}

/** All that is asked of the farm API for one account. */
export interface AccountPolling {
  /** Goes on from what the owner before asked: nothing is asked before its interval is over (POLL-2). */
  resume(): void;
  /** Asks the lists; rejects with an `UpstreamError` if the sensors cannot be had. */
  load(): Promise<void>;
  /** Follows the directory: units for what is there, none for what is gone. */
  follow(): void;
  touched(kinds: readonly Touched[]): void;
  /** A device stands at the threshold of offline (ONL-1). */
  ask(deviceKey: string): void;
  /** A sensor's reading was heard on MQTT (POLL-4). */
  heardSensor(sensorId: string): void;
  channelDue(channelKey: string, inMs: number): void;
  /** A device is gone. */
  forget(deviceKey: string): void;
  /** After a break of MQTT everything may have been missed. */
  allDue(): void;
  /** ms between two looks at a device. */
  pollInterval(deviceKey: string): number;
  readonly units: Pick<PollUnits, "reschedule" | "retryFailed" | "demand">;
  close(): void;
}

/** ms over which units that come due together are spread (POLL-3). */
const SPREAD_MS = 3_000;
/** ms between two looks at a channel's moisture because of its sensors' readings. */
const MOISTURE_GAP_MS = 10_000;
/** ms between two looks at the lists because of messages of things that they do not know. */
const UNKNOWN_GAP_MS = 30_000;

const LISTS = ["sensors", "controllers", "farms", "notifications"] as const;
const LIST_OF: Readonly<Record<Touched, readonly (typeof LISTS)[number][]>> = {
  sensor: ["sensors", "farms"],
  farm: ["farms", "sensors"],
  controller: ["controllers"],
  channel: [],
  notification: ["notifications"],
  account: [],
};

export function createAccountPolling(parts: AccountPollingParts): AccountPolling {
  const { api, directory, watch, intervals, random } = parts;
  const units = createPollUnits(parts);
  const pace = (key?: string): Pace => ({ watched: parts.watches(key), heard: parts.heard() });
  const sensorLog = createSensorLog(parts);
  const sensorParts = { api, log: sensorLog, watch, pace, intervals, reschedule: units.reschedule };
  const channelParts: ChannelUnitsParts = {
    ...parts,
    pace,
    onSilentController: (deviceKey) => {
      const channels = () => [...directory.channels.values()].filter((one) => one.deviceKey === deviceKey);
      const interval = () => listInterval("places", pace(deviceKey), intervals);
      units.add(controllerLogUnit(deviceKey, channels, channelParts, interval), "now");
    },
  };
  const devices = (): string[] => [
    ...[...directory.sensorIds()].map(sensorKey),
    ...new Set([...directory.channels.values()].map((channel) => channel.deviceKey)),
  ];
  const own = listUnits({
    api,
    directory,
    notifications: parts.notifications,
    sensorLog,
    pace,
    intervals,
    onSensors: () => parts.onAccess(true),
    onFailed(list, error) {
      if (list === "sensors" && error instanceof NoAccessError) parts.onAccess(false);
      if (error instanceof NoAccessError) for (const key of devices()) watch.cannotTell(key);
      else if (list === "sensors") for (const id of directory.sensorIds()) watch.failed(sensorKey(id));
    },
  });
  const askList = async (name: string): Promise<void> => {
    try {
      await units.askNow(name);
    } catch (error) {
      // A plain API may lack a list; without its sensors an account cannot be shown.
      const lacking = error instanceof UpstreamStatusError && !error.isAccess && !error.temporary;
      if (name === "sensors" || !(error instanceof UpstreamError) || !lacking) throw error;
    }
  };

  return {
    resume() {
      for (const unit of own) units.add(unit, "now");
    },
    async load() {
      for (const unit of own) units.add(unit, unit.name === "notifications" ? "now" : "spread");
      await Promise.all(["sensors", "controllers", "farms"].map(askList));
    },
    follow() {
      const wanted = new Set<string>(LISTS);
      for (const id of directory.sensorIds()) {
        if (directory.sensorType(id) === "COT") continue;
        for (const unit of sensorUnits(id, sensorParts)) {
          wanted.add(unit.name);
          units.add(unit, "spread");
        }
      }
      for (const channel of directory.channels.values()) {
        wanted.add(controllerLogName(channel.deviceKey));
        for (const unit of channelUnits(channel, channelParts)) {
          wanted.add(unit.name);
          if (!units.add(unit, "spread")) units.due(unit.name, random() * SPREAD_MS);
        }
      }
      for (const name of [...units.names()]) if (!wanted.has(name)) units.remove(name);
    },
    touched(kinds) {
      for (const list of new Set(kinds.flatMap((kind) => LIST_OF[kind]))) units.due(list, 0);
      if (!kinds.includes("channel")) return;
      for (const key of directory.channels.keys()) units.due(key, random() * SPREAD_MS);
    },
    ask(deviceKey) {
      const key = parseDeviceKey(deviceKey);
      if (key?.kind === "sensor") {
        units.due(sensorLog.listCarries ? "sensors" : latestUnit(key.id), 0);
        return;
      }
      for (const channel of directory.channelsOf(deviceKey)) units.due(channel, 0);
      units.due(controllerLogName(deviceKey), 0);
    },
    heardSensor(sensorId) {
      if (directory.sensorType(sensorId) === undefined) {
        units.dueAfter("sensors", UNKNOWN_GAP_MS);
        return;
      }
      units.reset(latestMqttUnit(sensorId));
      units.reset(latestUnit(sensorId));
      for (const channel of directory.channels.values()) {
        if (!channel.place.sensorIds.some((id) => String(id) === sensorId)) continue;
        if (parts.watches(channel.key)) units.dueAfter(moistureUnit(channel.key), MOISTURE_GAP_MS);
      }
    },
    channelDue(channelKey, inMs) {
      if (directory.channels.has(channelKey)) units.due(channelKey, inMs);
      else units.dueAfter("controllers", UNKNOWN_GAP_MS);
    },
    forget(deviceKey) {
      const key = parseDeviceKey(deviceKey);
      if (key?.kind === "sensor") sensorLog.forget(key.id);
    },
    allDue() {
      for (const list of LISTS) units.due(list, random() * SPREAD_MS);
      for (const key of directory.channels.keys()) units.due(key, random() * SPREAD_MS);
    },
    pollInterval(deviceKey) {
      const now: Pace = { watched: parts.watches(deviceKey), heard: false };
      const list = listInterval("list", now, intervals);
      const plain = deviceKey.startsWith("sensor:")
        ? now.watched
          ? Math.min(intervals.latestMqtt.watched, list)
          : list
        : channelInterval(now, { busy: false, mode: false }, intervals);
      return plain * parts.stretch();
    },
    units,
    close: () => units.close(),
  };
}

import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Random, Timers } from "@mulkko/shared/rules/clock";
import { parseDeviceKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import type { Log } from "../runtime/log.ts";
import type { AccountApi } from "../upstream/account-api.ts";
import type { ChangedKind } from "../upstream/changed-kinds.ts";
import { NoAccessError, UpstreamError, UpstreamStatusError } from "../upstream/errors.ts";
import type { AccountState } from "./account-state.ts";
import type { ClockSuspicion } from "./clock-suspicion.ts";
import type { DeviceHandler } from "./device-handler.ts";
import type { DeviceIndex } from "./device-index.ts";
import type { NotificationHandler } from "./notification-handler.ts";
import {
  type ChannelUnitsDeps,
  channelUnits,
  controllerLogName,
  controllerLogUnit,
  moistureUnit,
} from "./polling/channel-units.ts";
import { createEmptyLists } from "./polling/empty-lists.ts";
import { listUnits } from "./polling/list-units.ts";
import { listInterval, type Pace, type PollIntervals } from "./polling/poll-pacing.ts";
import { createPollUnits, type PollUnits } from "./polling/poll-units.ts";
import { createSensorLog, latestMqttUnit, latestUnit, sensorUnits } from "./polling/sensor-units.ts";
import type { PresenceWatch } from "./presence-watch.ts";

export interface AccountPollingDeps {
  readonly accountId: string;
  readonly api: AccountApi;
  readonly deviceIndex: DeviceIndex;
  readonly handler: DeviceHandler;
  readonly notifications: NotificationHandler;
  readonly watch: PresenceWatch;
  readonly state: AccountState;
  readonly suspicion: ClockSuspicion;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
  readonly intervals: PollIntervals;
  /** True if an active viewer looks at the key; without a key: at anything. */
  readonly watches: (key?: string) => boolean;
  /** True while the API's MQTT output is received. */
  readonly mqttReceived: () => boolean;
  readonly stretch: () => number;
  readonly claim: (unit: string) => Promise<void>;
  readonly onUnclaimed: () => void;
  readonly claimedAgo: (unit: string) => number | undefined;
  readonly onNews: (news: boolean) => void;
}

/** All polls of one account. */
export interface AccountPolling {
  /** Continue the previous owner's intervals: nothing is polled before its interval is over (POLL-2). */
  resume(): void;
  /** Poll the lists; rejects with an `UpstreamError` if the sensors cannot be read. */
  load(): Promise<void>;
  written(kinds: readonly ChangedKind[]): void;
  /** Record that a sensor's reading was received by MQTT (POLL-4). */
  receivedSensor(sensorId: string): void;
  /** Make all units due: a break of MQTT may have lost any message. */
  allDue(): void;
  readonly units: Pick<PollUnits, "reschedule" | "retryFailed" | "demand">;
  close(): void;
}

/** ms over which units that become due together are spread (POLL-3). */
const SPREAD_MS = 3_000;
/** Minimum gap between moisture polls of a channel that its sensors' readings trigger, ms. */
const MOISTURE_GAP_MS = 10_000;
/** Minimum gap between list polls that messages about unknown devices trigger, ms. */
const UNKNOWN_GAP_MS = 30_000;

/** ms after a movement until its row is in the log, of an API that writes rows for movements only (ONL-1). */
const LOGGED_AFTER_MS = 2_000;

const LISTS = ["sensors", "controllers", "farms", "notifications"] as const;
const LIST_OF: Readonly<Record<ChangedKind, readonly (typeof LISTS)[number][]>> = {
  sensor: ["sensors", "farms"],
  farm: ["farms", "sensors"],
  controller: ["controllers"],
  channel: [],
  notification: ["notifications"],
  account: [],
};

export function createAccountPolling(deps: AccountPollingDeps): AccountPolling {
  const { state, api, deviceIndex, watch, intervals, random } = deps;
  const units = createPollUnits(deps);
  const pace = (key?: string): Pace => ({ watched: deps.watches(key), mqttReceived: deps.mqttReceived() });
  const sensorLog = createSensorLog(deps);
  const sensorParts = { api, log: sensorLog, watch, pace, intervals, reschedule: units.reschedule };
  const channelParts: ChannelUnitsDeps = {
    ...deps,
    pace,
    onSilentController: (deviceKey) => {
      const channels = () => [...deviceIndex.channels.values()].filter((one) => one.deviceKey === deviceKey);
      const interval = () => listInterval("places", pace(deviceKey), intervals);
      units.add(controllerLogUnit(deviceKey, channels, channelParts, interval), "now");
    },
    onMovement: (deviceKey) => units.due(controllerLogName(deviceKey), LOGGED_AFTER_MS),
  };
  const devices = (): string[] => [
    ...[...deviceIndex.sensorIds()].map(sensorKey),
    ...new Set([...deviceIndex.channels.values()].map((channel) => channel.deviceKey)),
  ];
  const empty = createEmptyLists(deps.clock);
  const own = listUnits({
    api,
    deviceIndex,
    notifications: deps.notifications,
    sensorLog,
    empty,
    again: (list, inMs) => units.due(list, inMs),
    pace,
    intervals,
    onSensors: () => state.emit("accessChanged", true),
    onFailed(list, error) {
      if (list === "sensors" && error instanceof NoAccessError) state.emit("accessChanged", false);
      if (error instanceof NoAccessError) for (const key of devices()) watch.cannotTell(key);
      else if (list === "sensors") for (const id of deviceIndex.sensorIds()) watch.failed(sensorKey(id));
    },
  });
  const askList = async (name: string): Promise<void> => {
    try {
      await units.askNow(name);
    } catch (error) {
      // A plain API may lack a list, but an account without sensors cannot be displayed.
      const lacking = error instanceof UpstreamStatusError && !error.isAccess && !error.temporary;
      if (name === "sensors" || !(error instanceof UpstreamError) || !lacking) throw error;
    }
  };

  const follow = (): void => {
    const wanted = new Set<string>(LISTS);
    for (const id of deviceIndex.sensorIds()) {
      if (deviceIndex.sensorType(id) === "COT") continue;
      for (const unit of sensorUnits(id, sensorParts)) {
        wanted.add(unit.name);
        units.add(unit, "spread");
      }
    }
    for (const channel of deviceIndex.channels.values()) {
      wanted.add(controllerLogName(channel.deviceKey));
      for (const unit of channelUnits(channel, channelParts)) {
        wanted.add(unit.name);
        if (!units.add(unit, "spread")) units.due(unit.name, random() * SPREAD_MS);
      }
    }
    for (const name of [...units.names()]) if (!wanted.has(name)) units.remove(name);
  };
  state.on("devicesChanged", follow);
  state.on("deviceDue", (deviceKey) => {
    const key = parseDeviceKey(deviceKey);
    if (key?.kind === "sensor") {
      units.due(sensorLog.listCarries ? "sensors" : latestUnit(key.id), 0);
      return;
    }
    for (const channel of deviceIndex.channelsOf(deviceKey)) units.due(channel, 0);
    units.due(controllerLogName(deviceKey), 0);
  });
  state.on("channelDue", (channelKey, inMs) => {
    if (deviceIndex.channels.has(channelKey)) units.due(channelKey, inMs);
    else units.dueAfter("controllers", UNKNOWN_GAP_MS);
  });
  state.on("deviceGone", (deviceKey) => {
    const key = parseDeviceKey(deviceKey);
    if (key?.kind === "sensor") sensorLog.forget(key.id);
  });
  state.on("paceChanged", units.reschedule);

  return {
    resume() {
      for (const unit of own) units.add(unit, "now");
      follow();
    },
    async load() {
      for (const unit of own) units.add(unit, unit.name === "notifications" ? "now" : "spread");
      await Promise.all(["sensors", "controllers", "farms"].map(askList));
      follow();
    },
    written(kinds) {
      for (const list of new Set(kinds.flatMap((kind) => LIST_OF[kind]))) {
        empty.wrote(list);
        units.due(list, 0);
      }
      if (!kinds.includes("channel")) return;
      for (const key of deviceIndex.channels.keys()) units.due(key, random() * SPREAD_MS);
    },
    receivedSensor(sensorId) {
      if (deviceIndex.sensorType(sensorId) === undefined) {
        units.dueAfter("sensors", UNKNOWN_GAP_MS);
        return;
      }
      units.reset(latestMqttUnit(sensorId));
      units.reset(latestUnit(sensorId));
      for (const channel of deviceIndex.channels.values()) {
        if (!channel.place.sensorIds.some((id) => String(id) === sensorId)) continue;
        if (deps.watches(channel.key)) units.dueAfter(moistureUnit(channel.key), MOISTURE_GAP_MS);
      }
    },
    allDue() {
      for (const list of LISTS) units.due(list, random() * SPREAD_MS);
      for (const key of deviceIndex.channels.keys()) units.due(key, random() * SPREAD_MS);
    },
    units,
    close: () => units.close(),
  };
}

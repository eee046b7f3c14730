import type { LogEntry } from "@mulkko/shared/entities/log-entry";
import { parseDeviceKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import type { AccountApi } from "../../access/account-api.ts";
import type { AccountState } from "../account-state.ts";
import type { DeviceHandler } from "../device-handler.ts";
import type { DeviceIndex } from "../device-index.ts";
import { polledReading } from "../normalise-reading.ts";
import { latestInterval, latestMqttInterval, type Pace, paceOf, UNKNOWN_GAP_MS } from "./poll-pacing.ts";
import type { PollUnit, PollUnits } from "./poll-units.ts";

export interface SensorPollsDeps {
  readonly state: AccountState;
  readonly api: AccountApi;
  readonly deviceIndex: DeviceIndex;
  readonly handler: DeviceHandler;
  readonly units: PollUnits;
  readonly pace: (key: string) => Pace;
}

const latestMqttUnit = (sensorId: string): string => `latest-mqtt:${sensorId}`;
const latestUnit = (sensorId: string): string => `latest:${sensorId}`;

/** Poll the newest log of each sensor: from its own units, and from the sensor list if that carries them. */
export function pollSensors(deps: SensorPollsDeps): void {
  const { state, api, deviceIndex, handler, units, pace } = deps;
  /** The sensor list carries newest logs. */
  let isListed = false;

  /** Apply an answer about one sensor; null: it has no log. */
  const answered = (
    sensorId: string,
    entry: LogEntry | null,
    source: "list" | "latest" | "latest-mqtt",
  ): void => {
    if (deviceIndex.sensorType(sensorId) === undefined) return;
    if (entry === null) state.emit("deviceSilentSoFar", sensorKey(sensorId));
    else {
      const known = state.get(sensorKey(sensorId));
      handler.reading(sensorId, polledReading(entry, source, api.clock, known));
    }
  };
  /** Return the two units of a sensor: the newest message accepted, and the newest log stored. */
  const unitsOf = (sensorId: string): PollUnit[] => {
    const key = sensorKey(sensorId);
    let silent = false;
    const common = { stretches: () => true, urgent: () => false };
    return [
      {
        ...common,
        name: latestMqttUnit(sensorId),
        interval: (isUnreported) => latestMqttInterval(paceOf(pace(key), isUnreported), silent),
        async ask(asking) {
          const entry = await api.latestMqtt(sensorId, asking);
          if (silent !== (entry === null)) {
            silent = entry === null;
            units.reschedule(latestUnit(sensorId));
          }
          if (entry !== null) answered(sensorId, entry, "latest-mqtt");
        },
      },
      {
        ...common,
        name: latestUnit(sensorId),
        interval: (isUnreported) =>
          latestInterval(paceOf(pace(key), isUnreported), { listed: isListed, alone: silent }),
        async ask(asking) {
          answered(sensorId, await api.latest(sensorId, asking), "latest");
        },
        failed: () => state.emit("devicePollFailed", key),
      },
    ];
  };

  state.on("devicesChanged", () => {
    const wanted = new Set<string>();
    for (const id of deviceIndex.sensorIds()) {
      if (deviceIndex.sensorType(id) === "COT") continue;
      for (const unit of unitsOf(id)) {
        wanted.add(unit.name);
        units.add(unit, "spread");
      }
    }
    units.prune("latest", wanted);
  });
  state.on("sensorsListed", (sensors) => {
    isListed = sensors.some(({ latestLog }) => latestLog !== undefined);
    for (const { id, latestLog } of sensors)
      if (latestLog !== undefined) answered(String(id), latestLog, "list");
  });
  state.on("sensorReceived", (sensorId) => {
    if (deviceIndex.sensorType(sensorId) === undefined) units.dueAfter("sensors", UNKNOWN_GAP_MS);
    units.reset(latestMqttUnit(sensorId));
    units.reset(latestUnit(sensorId));
  });
  state.on("deviceDue", (deviceKey) => {
    const key = parseDeviceKey(deviceKey);
    if (key?.kind === "sensor") units.due(isListed ? "sensors" : latestUnit(key.id), 0);
  });
}

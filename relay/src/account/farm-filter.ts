import { Alarm } from "@mulkko/shared/live/alarm";
import { ChannelValue, SensorValue } from "@mulkko/shared/live/devices";
import { Watering } from "@mulkko/shared/live/watering";
import { channelKey, parseDeviceKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { sameJson } from "../store/json.ts";
import type { StateValue } from "../store/streams.ts";
import { type FarmState, farmIndexOf } from "./farm-index.ts";
import type { WateringPlace } from "./thing-name.ts";

/** HS-2: selects the part of an account's state that belongs to some of its farms. */
export interface FarmFilter {
  sees(key: string, value: StateValue): boolean;
  /** Return the value without references to other farms or their devices. */
  cut(key: string, value: StateValue): StateValue;
}

const About = Type.Pick(Alarm, ["key", "type"]);
const Through = Type.Pick(Watering, ["channelId"]);
const Place = Type.Pick(ChannelValue, ["controllerId", "sensorIds"]);
const SensorPlace = Type.Object({
  info: Type.Pick(SensorValue.properties.info, ["clusterId", "clusters"]),
});

/** Types of alarm about the account itself that name no device. */
const OF_EVERYBODY: ReadonlySet<string> = new Set(["no-access", "upstream-down", "broker-down"]);

/**
 * Create a filter for the farms' sensors, their channels with the whole controller, and related alarms and
 * waterings. Alarms about the links to the farm API belong to every farm.
 *
 * @param state the account's whole state
 * @param farms ids of the chosen farms
 */
export function createFarmFilter(state: FarmState, farms: ReadonlySet<string>): FarmFilter {
  const places = farmIndexOf(Object.entries(state));
  const includesDevice = (key: string): boolean => {
    const named = parseDeviceKey(key);
    if (named?.kind === "farm") return farms.has(named.id);
    return places.of(key).some((farm) => farms.has(farm));
  };
  return {
    sees(key, value) {
      if (key.startsWith("alarm:")) {
        const alarm = parse(About, value);
        return alarm.ok && (OF_EVERYBODY.has(alarm.value.type) || includesDevice(alarm.value.key));
      }
      if (key.startsWith("watering:")) {
        const watering = parse(Through, value);
        return watering.ok && includesDevice(channelKey(watering.value.channelId));
      }
      return includesDevice(key);
    },
    cut(key, value) {
      if (key.startsWith("watering:")) return withoutPlace(value);
      if (key.startsWith("alarm:")) return withoutNames(value);
      if (key.startsWith("channel:")) {
        const place = parse(Place, value);
        if (!place.ok) return value;
        return { ...value, sensorIds: place.value.sensorIds.filter((id) => includesDevice(sensorKey(id))) };
      }
      if (!key.startsWith("sensor:")) return value;
      const place = parse(SensorPlace, value);
      if (!place.ok) return value;
      const { clusterId, clusters } = place.value.info;
      const own = (clusters ?? []).filter(({ id }) => farms.has(String(id)));
      return {
        ...value,
        info: {
          ...Object(value.info),
          ...(clusters && { clusters: own }),
          ...(clusterId != null && !farms.has(String(clusterId)) && { clusterId: own[0]?.id ?? null }),
        },
      };
    },
  };
}

/** Return a watering without its stored name and farms, which may be another farm's (NAME-1). */
export function withoutPlace<W extends Pick<WateringPlace, "valveName" | "farmIds">>(watering: W) {
  const { valveName: _name, farmIds: _farms, ...rest } = watering;
  return rest;
}

const WithValves = Type.Pick(Alarm, ["valves"]);

/** Return an alarm without its stored names, which may be those of another farm's sensors (NAME-1). */
export function withoutNames<A extends Pick<Alarm, "name" | "number" | "valves">>(alarm: A) {
  const { name: _name, number: _number, ...rest } = alarm;
  const parsed = parse(WithValves, rest);
  if (!parsed.ok || parsed.value.valves === undefined) return rest;
  return { ...rest, valves: parsed.value.valves.map(({ valveName: _valve, ...valve }) => valve) };
}

/** Return the part of an account's state that belongs to the farms. */
export function seenState(state: FarmState, farms: ReadonlySet<string>): Record<string, StateValue> {
  const farmFilter = createFarmFilter(state, farms);
  const seen = Object.entries(state).filter(([key, value]) => farmFilter.sees(key, value));
  return Object.fromEntries(seen.map(([key, value]) => [key, farmFilter.cut(key, value)]));
}

/** True if the change may add devices to a farm or remove them. */
export function movesDevices(
  key: string,
  before: StateValue | undefined,
  after: StateValue | undefined,
): boolean {
  const [kind] = key.split(":", 1);
  if (kind === "farm") return !sameJson(before, after);
  if (kind !== "channel" && kind !== "controller") return false;
  if (before === undefined || after === undefined) return before !== after;
  if (kind === "controller") return !sameJson(before.info, after.info);
  return !sameJson(before.sensorIds, after.sensorIds) || !sameJson(before.controllerId, after.controllerId);
}

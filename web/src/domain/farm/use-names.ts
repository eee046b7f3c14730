import type { Alarm } from "@mulkko/shared/live/alarm";
import type { CommandEvent } from "@mulkko/shared/live/events";
import type { Watering } from "@mulkko/shared/live/watering";
import { channelIdOf, parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { channelName } from "../valve/valve-title.ts";
import { logPath, panelPath } from "./device-paths.ts";

const KINDS = ["farm", "sensor", "controller", "channel"] as const;

/** Page and name of a thing; null if it was deleted. */
export interface Named {
  readonly name: string;
  readonly to: string;
}

/** Subject of an alarm; `number` for a channel. */
export interface Thing {
  readonly name: string;
  readonly to: string | undefined;
  readonly number?: number;
}

/** The parts of an alarm that name its subject. */
export interface NamedAlarm extends Pick<Alarm, "key"> {
  readonly name?: string | undefined;
  readonly number?: number | undefined;
}

type NamedCommand = Pick<CommandEvent, "controllerId" | "channelId" | "number">;
type NamedWatering = Pick<Watering, "channelId" | "valveName" | "number">;

/** Names for events. */
export type Names = ReturnType<typeof namesIn>;

/** Describe a deleted thing by its stored name. */
const deletedThing = (name: string | undefined, number: number | undefined): Thing | null =>
  name === undefined ? null : { name, to: undefined, ...(number === undefined ? {} : { number }) };

/** Look up names for events. */
export function namesIn(farm: LiveFarm) {
  const ofUnit = (id: string | number): Named | null => {
    const unit = farm.controllers.get(`${id}`) ?? farm.sensors.get(`${id}`);
    return unit ? { name: deviceName(unit.info), to: panelPath(`${id}`) } : null;
  };
  const ofChannel = (id: string | number): (Named & { number: number }) | null => {
    const channel = farm.channels.get(`${id}`);
    const unit = channel && ofUnit(channel.controllerId);
    return unit ? { name: channelName(channel, farm), to: unit.to, number: channel.number } : null;
  };
  const ofKey = (key: string): Named | null => {
    const parts = parseDeviceKey(key);
    if (parts?.kind === "controller") return ofUnit(parts.id);
    const sensor = parts?.kind === "sensor" ? farm.sensors.get(parts.id) : undefined;
    if (!parts || !sensor) return null;
    const to = sensor.info.deviceType === "COT" ? panelPath(parts.id) : logPath(parts.id);
    return { name: deviceName(sensor.info), to };
  };
  const ofPresent = (key: string): Thing | null => {
    const parts = parseDeviceKey(key);
    if (parts?.kind === "farm") {
      const name = farm.farms.get(parts.id)?.info.name;
      return name === undefined ? null : { name, to: undefined };
    }
    return parts?.kind === "channel" ? ofChannel(channelIdOf(key)) : ofKey(key);
  };
  return {
    /** Return the name for a key of the stream: `sensor:…`, `controller:…`. */
    ofKey,
    ofChannel,
    /** Return the valve of a command, or its controller if the channel was deleted. */
    ofCommand: ({ controllerId, channelId, number }: NamedCommand): Named | null =>
      ofChannel(channelId ?? `${controllerId}:${number}`) ?? ofUnit(controllerId),
    /** Return the valve of a watering or an alarm; a deleted valve has its stored name. */
    ofWatering: ({ channelId, valveName, number }: NamedWatering): Thing | null =>
      ofChannel(channelId) ?? deletedThing(valveName, number),
    /**
     * Return the subject of an alarm: a device, a channel or a farm. A deleted one has the name stored in the
     * alarm. Null for an outage, which concerns everything.
     */
    ofThing: ({ key, name, number }: NamedAlarm): Thing | null =>
      ofPresent(key) ?? deletedThing(name, number),
  };
}

const sameThing = (a: Thing | null, b: Thing | null): boolean =>
  a === b || (a?.name === b?.name && a?.to === b?.to && a?.number === b?.number);

/** Return the subject of an alarm, kept up to date; renders again only if the name changes. */
export function useThing({ key, name, number }: NamedAlarm): Thing | null {
  return useLiveSelection(KINDS, (farm) => namesIn(farm).ofThing({ key, name, number }), sameThing);
}

/** Return the names at render time. A rename shows with the next reading. */
export function useNames(): Names {
  return useLiveSelection(KINDS, namesIn);
}

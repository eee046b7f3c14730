import type { CommandEvent } from "@mulkko/shared/live/events";
import { parseDeviceKey } from "@mulkko/shared/live/keys";
import type { Watering } from "@mulkko/shared/live/watering";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useCallback } from "react";
import { type LiveFarm, useLiveSelection } from "../live/hooks.ts";
import { channelName } from "./valve-title.ts";

const KINDS = ["farm", "sensor", "controller", "channel"] as const;

/** Where a thing is shown, and what it is called; null where it is gone. */
export interface Named {
  readonly name: string;
  readonly to: string;
}

/** What an alarm is about; `number` where it is a channel. */
export interface Thing {
  readonly name: string;
  readonly to: string | undefined;
  readonly number?: number;
}

/** Return what a thing is called as text: a channel with its number. Where room is short use `ThingTitle`. */
export function thingTitle(
  { name, number }: Pick<Thing, "name" | "number">,
  channelWord: ChannelWord,
): string {
  return number === undefined ? name : `${name} ${channelWord(number)}`;
}

/** The word for a channel in the language of the page. */
type ChannelWord = (number: number) => string;

/** Finds the names of things that events speak of. */
export interface Names {
  /** By a key of the stream: `sensor:…`, `controller:…`. */
  ofKey(key: string): Named | null;
  /** What an alarm is about: a device, a channel or a farm; null for an outage, which is about everything. */
  ofThing(key: string): Thing | null;
  ofChannel(id: string | number): (Named & { number: number }) | null;
  /** The valve that a command is about; where its channel is gone, its controller. */
  ofCommand(command: Pick<CommandEvent, "controllerId" | "channelId" | "number">): Named | null;
  /** The valve of a watering; by the name that the record kept where the valve is gone. */
  ofWatering(watering: Pick<Watering, "channelId" | "valveName" | "number">): Thing | null;
}

const logOf = (id: string) => `/sensors/type?id=${encodeURIComponent(id)}`;
const panelOf = (id: string) => `/sensors/cot/detail?cotId=${encodeURIComponent(id)}`;

export function namesIn(farm: LiveFarm): Names {
  const ofBox = (id: string | number): Named | null => {
    const box = farm.controllers.get(`${id}`) ?? farm.sensors.get(`${id}`);
    return box ? { name: deviceName(box.info), to: panelOf(`${id}`) } : null;
  };
  const ofChannel: Names["ofChannel"] = (id) => {
    const channel = farm.channels.get(`${id}`);
    const box = channel && ofBox(channel.controllerId);
    return box ? { name: channelName(channel, farm), to: box.to, number: channel.number } : null;
  };
  const ofKey: Names["ofKey"] = (key) => {
    const parts = parseDeviceKey(key);
    if (parts?.kind === "controller") return ofBox(parts.id);
    const sensor = parts?.kind === "sensor" ? farm.sensors.get(parts.id) : undefined;
    if (!parts || !sensor) return null;
    const to = sensor.info.deviceType === "COT" ? panelOf(parts.id) : logOf(parts.id);
    return { name: deviceName(sensor.info), to };
  };
  return {
    ofKey,
    ofChannel,
    ofCommand: ({ controllerId, channelId, number }) =>
      ofChannel(channelId ?? `${controllerId}:${number}`) ?? ofBox(controllerId),
    ofWatering({ channelId, valveName: kept, number }) {
      const present = ofChannel(channelId);
      if (present !== null || kept === undefined) return present;
      return { name: kept, to: undefined, ...(number === undefined ? {} : { number }) };
    },
    ofThing(key) {
      const parts = parseDeviceKey(key);
      if (parts?.kind === "farm") {
        const name = farm.farms.get(parts.id)?.info.name;
        return name === undefined ? null : { name, to: undefined };
      }
      if (parts?.kind !== "channel") return ofKey(key);
      return ofChannel(key.slice(key.indexOf(":") + 1));
    },
  };
}

const sameThing = (a: Thing | null, b: Thing | null): boolean =>
  a === b || (a?.name === b?.name && a?.to === b?.to && a?.number === b?.number);

/** What an alarm is about, followed; drawn again only when it is called otherwise. */
export function useThing(key: string): Thing | null {
  return useLiveSelection(
    KINDS,
    useCallback((farm: LiveFarm) => namesIn(farm).ofThing(key), [key]),
    sameThing,
  );
}

/** The names as they are when the list is drawn; a renamed device is followed with the next reading. */
export function useNames(): Names {
  return useLiveSelection(
    KINDS,
    useCallback((farm: LiveFarm) => namesIn(farm), []),
  );
}

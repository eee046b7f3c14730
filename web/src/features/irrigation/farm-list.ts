import type { Alarm, AlarmPriority } from "@mulkko/shared/live/alarm";
import type { ChannelValue, SensorValue } from "@mulkko/shared/live/devices";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { Quality } from "@mulkko/shared/rules/quality";
import { isMeasuring } from "../../domain/farm/device-tally.ts";
import { farmMembers, NO_FARM, unitKey } from "../../domain/farm/farm-members.ts";
import { type ValveUnit, valveUnits } from "../../domain/valve/valve-units.ts";
import { sumWater, type WaterSum, waterOf } from "../../domain/watering/water-sum.ts";
import { byName } from "../../i18n/by-name.ts";
import type { LiveFarm } from "../../live/hooks.ts";

/** A device's row on its farm. */
export interface FarmDevice {
  readonly id: string;
  /** `unit` is a controller or a COT sensor: both have valves. */
  readonly kind: "sensor" | "unit";
  readonly form: "sensor" | "controller";
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  readonly description: string;
  readonly imagePath: string | null;
  /** The day on which it was registered, as the farm API writes it; null where it does not say. */
  readonly createdDate: string | null;
}

/** A channel and its name. */
export interface FarmChannel {
  readonly id: string;
  /** The valve's name (NAME-1). */
  readonly name: string;
  readonly number: number;
}

/** A device with valves, without its live values: each cell follows those itself. */
export interface FarmUnit extends Pick<ValveUnit, "id" | "form" | "name" | "serial" | "type"> {
  /** By number. */
  readonly channels: readonly FarmChannel[];
}

/** A farm as listed; `id` is {@link NO_FARM} for the devices without a farm. */
export interface FarmItem {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly createdDate: string | null;
  /** The smallest serial of its devices, as a farm has none of its own; null without devices. */
  readonly serial: number | null;
  /** By name, controllers first. */
  readonly devices: readonly FarmDevice[];
  readonly units: readonly FarmUnit[];
}

export const FARM_SORTS = [
  "name",
  "name-reversed",
  "serial",
  "serial-reversed",
  "description",
  "description-reversed",
] as const;
export type FarmSort = (typeof FARM_SORTS)[number];

/** Return the order in an address; by name if it has none. */
export function readSort(text: string | null): FarmSort {
  return FARM_SORTS.find((sort) => sort === text) ?? "name";
}

/** Fields of every device in the farm API. */
type DeviceInfo = Pick<SensorValue["info"], "name" | "serial" | "description" | "imagePath" | "createdDate">;

const deviceOf = (
  device: Pick<FarmDevice, "id" | "kind" | "form" | "deviceType">,
  info: DeviceInfo,
): FarmDevice => ({
  ...device,
  name: deviceName(info),
  serial: `${info.serial ?? "--"}`,
  description: info.description?.trim() ?? "",
  imagePath: info.imagePath ?? null,
  createdDate: info.createdDate ?? null,
});

const unitOf = ({ id, form, name, serial, type, channels }: ValveUnit): FarmUnit => ({
  id,
  form,
  name,
  serial,
  type,
  channels: channels.map(({ id: channelId, name: channelName, value }) => ({
    id: channelId,
    name: channelName,
    number: value.number,
  })),
});

const smallestSerial = (devices: readonly FarmDevice[]): number | null => {
  const serials = devices.map(({ serial }) => Number(serial)).filter(Number.isFinite);
  return serials.length === 0 ? null : serials.reduce((least, each) => Math.min(least, each));
};

const deviceOrder = (a: FarmDevice, b: FarmDevice): number =>
  Number(a.kind === "sensor") - Number(b.kind === "sensor") || byName(a, b);

/** Return all farms with their devices, unsorted. Devices without a farm, if any, come last. */
export function farmItems(live: LiveFarm, noFarm: string): FarmItem[] {
  const members = farmMembers(live);
  const units = new Map<string, FarmUnit[]>();
  const devices = new Map<string, FarmDevice[]>();
  const place = <Thing>(into: Map<string, Thing[]>, farms: readonly string[], thing: Thing): void => {
    for (const farm of farms.length > 0 ? farms : [NO_FARM]) {
      const list = into.get(farm);
      if (list) list.push(thing);
      else into.set(farm, [thing]);
    }
  };
  for (const unit of valveUnits(live)) {
    const farms = members.of(unitKey(unit));
    place(units, farms, unitOf(unit));
    const { id, form, type: deviceType } = unit;
    const info = (form === "controller" ? live.controllers : live.sensors).get(id)?.info;
    if (info) place(devices, farms, deviceOf({ id, kind: "unit", form, deviceType }, info));
  }
  for (const [id, sensor] of live.sensors) {
    if (!isMeasuring(sensor)) continue;
    const { deviceType } = sensor.info;
    const device = deviceOf({ id, kind: "sensor", form: "sensor", deviceType }, sensor.info);
    place(devices, members.of(sensorKey(id)), device);
  }

  const item = (id: string, info: Pick<FarmItem, "name" | "description" | "createdDate">): FarmItem => {
    const mine = (devices.get(id) ?? []).sort(deviceOrder);
    return { id, ...info, serial: smallestSerial(mine), devices: mine, units: units.get(id) ?? [] };
  };
  const items = [...live.farms].map(([id, { info }]) =>
    item(id, {
      name: info.name,
      description: info.description?.trim() ?? "",
      createdDate: info.createdDate ?? null,
    }),
  );
  return devices.has(NO_FARM) || units.has(NO_FARM)
    ? [...items, item(NO_FARM, { name: noFarm, description: "", createdDate: null })]
    : items;
}

/** Sort the farms. Missing values and the devices without a farm come last in both directions. */
export function sortFarms(items: readonly FarmItem[], sort: FarmSort): FarmItem[] {
  const way = sort.endsWith("-reversed") ? -1 : 1;
  const compare = (a: FarmItem, b: FarmItem): number => {
    if (sort.startsWith("name")) return way * byName(a, b);
    if (sort.startsWith("serial")) {
      return missingLast(a.serial, b.serial, (left, right) => way * (left - right));
    }
    return missingLast(a.description || null, b.description || null, (left, right) => {
      return way * byName({ name: left }, { name: right });
    });
  };
  return [...items].sort(
    (a, b) => Number(a.id === NO_FARM) - Number(b.id === NO_FARM) || compare(a, b) || byName(a, b),
  );
}

function missingLast<Value>(
  a: Value | null,
  b: Value | null,
  compare: (a: Value, b: Value) => number,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(a, b);
}

/** Count the valves of a farm by the state of their water. */
export function waterOfFarm(
  item: FarmItem,
  channels: ReadonlyMap<string, ChannelValue>,
  links: Quality,
): WaterSum {
  const ids = item.units.flatMap((unit) => unit.channels.map(({ id }) => id));
  return sumWater(
    ids.map((id) => {
      const channel = channels.get(id);
      return channel === undefined ? "unknown" : waterOf(channel, links);
    }),
  );
}

/** Return the highest priority of the alarms of a farm, its devices and its channels; null without one. */
export function worstAlarm(item: FarmItem, alarms: Iterable<Alarm>): AlarmPriority | null {
  const keys = new Set([`farm:${item.id}`]);
  for (const { form, id } of item.devices) keys.add(`${form}:${id}`);
  for (const { channels } of item.units) for (const { id } of channels) keys.add(`channel:${id}`);
  let worst: AlarmPriority | null = null;
  for (const { key, priority, active, snooze } of alarms) {
    if (!active || snooze || !keys.has(key)) continue;
    if (worst === null || priority < worst) worst = priority;
  }
  return worst;
}

/** Return the day of a farm API's time (`2026-11-21 14:04:03`, on its own clock); null without one. */
export function createdDay(createdDate: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(createdDate ?? "")?.[0] ?? null;
}

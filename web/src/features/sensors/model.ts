import { type Category, sensorCategories } from "@mulkko/shared/catalogue/categories";
import type { FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { Quality } from "@mulkko/shared/rules/quality";
import { byName } from "../../farm/by-name.ts";
import { isMeasuring } from "../../farm/device-tally.ts";
import { type FarmGroup, groupByFarm } from "../../farm/farm-groups.ts";

/** What the list needs to know of a sensor to place it; its reading is followed by its own row. */
export interface ListedSensor {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  readonly description: string;
  readonly quality: Quality | null;
}

/** How the list is narrowed down. */
export interface ListFilter {
  /** Device types; null is all. */
  readonly types: readonly string[] | null;
  /** Typed text, found in name, serial, description or type. */
  readonly text: string;
  /** Only what is not fresh. */
  readonly troubled: boolean;
}

/** A category with how many of its sensors there are, and how many are not fresh. */
export interface CountedCategory extends Category {
  readonly count: number;
  readonly troubled: number;
}

/** One heading of the list with its sensors, by name. */
export interface Section {
  readonly id: string;
  readonly heading: { kind: "type"; type: string } | { kind: "farm"; name: string } | { kind: "no-farm" };
  readonly sensors: readonly ListedSensor[];
}

/** All sensors by name. COT sensors are controllers to a person and stand with them. */
export function listSensors(sensors: ReadonlyMap<string, SensorValue>): ListedSensor[] {
  const listed: ListedSensor[] = [];
  for (const [id, { info, quality }] of sensors) {
    if (!isMeasuring({ info })) continue;
    listed.push({
      id,
      name: deviceName(info),
      serial: `${info.serial}`,
      deviceType: info.deviceType,
      description: info.description ?? "",
      quality,
    });
  }
  return listed.sort(byName);
}

/** True for lists that would be drawn alike. */
export function sameList(a: readonly ListedSensor[], b: readonly ListedSensor[]): boolean {
  return (
    a.length === b.length &&
    a.every((sensor, index) => {
      const other = b[index];
      return (
        other !== undefined &&
        sensor.id === other.id &&
        sensor.name === other.name &&
        sensor.description === other.description &&
        sensor.deviceType === other.deviceType &&
        sensor.quality === other.quality
      );
    })
  );
}

const isTroubled = ({ quality }: ListedSensor): boolean => quality !== "fresh";

/** The category row for the types that are there, with counts. The controllers' row is last. */
export function countCategories(
  sensors: readonly ListedSensor[],
  controllers: { count: number; troubled: number },
): CountedCategory[] {
  const present = [...new Set(sensors.map(({ deviceType }) => deviceType))];
  return sensorCategories(present, controllers.count > 0).map((category) => {
    if (category.name === "COT") return { ...category, ...controllers };
    const mine = sensors.filter(({ deviceType }) => category.types.includes(deviceType));
    return { ...category, count: mine.length, troubled: mine.filter(isTroubled).length };
  });
}

/** The category that a device type in the address opens; the type alone where it merges with none. */
export function categoryOf(deviceType: string): Category {
  return sensorCategories([deviceType], false)[0] ?? { name: deviceType, types: [deviceType] };
}

/** @param typeWords the type's name in the reader's language, so that it can be searched for */
export function filterSensors(
  sensors: readonly ListedSensor[],
  filter: ListFilter,
  typeWords: (type: string) => string,
): ListedSensor[] {
  const wanted = filter.text.trim().toLowerCase();
  return sensors.filter((sensor) => {
    if (filter.types && !filter.types.includes(sensor.deviceType)) return false;
    if (filter.troubled && !isTroubled(sensor)) return false;
    if (wanted === "") return true;
    const { name, serial, description, deviceType } = sensor;
    return [name, serial, description, deviceType, typeWords(deviceType)].some((word) =>
      word.toLowerCase().includes(wanted),
    );
  });
}

/** The list under the headings of its categories. */
export function sectionsByType(sensors: readonly ListedSensor[]): Section[] {
  const present = [...new Set(sensors.map(({ deviceType }) => deviceType))];
  return sensorCategories(present, false).map(({ name, types }) => ({
    id: name,
    heading: { kind: "type", type: name },
    sensors: sensors.filter(({ deviceType }) => types.includes(deviceType)),
  }));
}

/** The list under the headings of its farms. */
export function sectionsByFarm(
  sensors: readonly ListedSensor[],
  farms: ReadonlyMap<string, FarmValue>,
): Section[] {
  return groupByFarm(farms, sensors, ({ id }) => [id]).map(
    ({ farm, things }: FarmGroup<ListedSensor>): Section => ({
      id: farm?.id ?? "",
      heading: farm ? { kind: "farm", name: farm.name } : { kind: "no-farm" },
      sensors: things,
    }),
  );
}

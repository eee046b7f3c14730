import { type Category, sensorCategories } from "@mulkko/shared/catalogue/categories";
import type { FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { countedQuality } from "@mulkko/shared/live/value-age";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { type DrawnQuality, drawnQuality, type Quality } from "@mulkko/shared/rules/quality";
import { useCallback, useDeferredValue } from "react";
import { shallow } from "zustand/shallow";
import { isMeasuring } from "../../domain/farm/device-tally.ts";
import { farmMembers, groupByFarm } from "../../domain/farm/farm-members.ts";
import { byName } from "../../i18n/by-name.ts";
import { searchFor } from "../../i18n/search.ts";
import { type LiveFarm, useLinkQuality, useLiveSelection } from "../../live/hooks.ts";

const SENSORS = ["sensor.listing"] as const;
const FARMS = ["farm.listing"] as const;
const CONTROLLERS = ["controller.listing", "sensor.listing"] as const;

/** Count the things with valves, and those of them that are not fresh. */
function countControllers({ controllers, sensors }: LiveFarm, links: Quality) {
  const units = [
    ...controllers.values(),
    ...[...sensors.values()].filter(({ info }) => info.deviceType === "COT"),
  ];
  const troubled = units.filter((unit) => drawnQuality(unit, links) !== "fresh").length;
  return { count: units.length, troubled };
}

/**
 * Return the content of the page: sensors, farms and the number of controllers. Readings do not change it.
 * The first list is rendered in small tasks, so that a slow phone handles input meanwhile: until then it is empty,
 * and `isComing` is true.
 */
export function useSensorList() {
  const links = useLinkQuality();
  const sensors = useLiveSelection(
    SENSORS,
    useCallback((live: LiveFarm) => listSensors(live.sensors, links), [links]),
    sameList,
  );
  const farms = useLiveSelection(FARMS, (live) => new Map(live.farms), shallow);
  const controllers = useLiveSelection(CONTROLLERS, (live) => countControllers(live, links), shallow);
  const deferred = useDeferredValue(sensors);
  const shown = deferred.length === 0 ? deferred : sensors;
  const isComing = shown.length < sensors.length;
  return { sensors: shown, isComing, farms, controllers };
}

/** Sensor fields that decide its place in the list; its row follows the readings. */
export interface ListedSensor {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  readonly description: string;
  /** Displayed quality: the worse of its own and the links'. */
  readonly quality: DrawnQuality | null;
}

interface ListFilter {
  /** Device types; null for all. */
  readonly types: readonly string[] | null;
  /** Search text for name, serial, description and type. */
  readonly text: string;
  /** True for only sensors that are not fresh. */
  readonly troubled: boolean;
}

/** Category with the numbers of all its sensors and of those that are not fresh. */
export interface CountedCategory extends Category {
  readonly count: number;
  readonly troubled: number;
}

/** One section of the list with its sensors, by name. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly sensors: readonly ListedSensor[];
}

/** Return all sensors by name. COT sensors are left out: they are listed with the controllers. */
export function listSensors(sensors: ReadonlyMap<string, SensorValue>, links: Quality): ListedSensor[] {
  return [...sensors]
    .filter(([, value]) => isMeasuring(value))
    .map(([id, sensor]) => ({ id, info: sensor.info, quality: countedQuality(sensor) }))
    .map(({ id, info, quality }) => ({
      id,
      name: deviceName(info),
      serial: `${info.serial ?? "--"}`,
      deviceType: info.deviceType,
      description: info.description ?? "",
      quality: drawnQuality({ quality }, links),
    }))
    .sort(byName);
}

/** Return true for lists that look the same. */
const sameList = (a: readonly ListedSensor[], b: readonly ListedSensor[]): boolean =>
  a.length === b.length && a.every((sensor, index) => shallow(sensor, b[index]));

export const isTroubled = ({ quality }: ListedSensor): boolean => quality !== "fresh";

/** Return the present categories with counts; controllers are last. */
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

/** Return the category of a device type in the address; the type alone if it merges with no other. */
export function categoryOf(deviceType: string): Category {
  return sensorCategories([deviceType], false)[0] ?? { name: deviceType, types: [deviceType] };
}

/** @param typeWords translates a device type, so that the search finds it */
export function filterSensors(
  sensors: readonly ListedSensor[],
  filter: ListFilter,
  translateType: (type: string) => string,
): ListedSensor[] {
  const search = searchFor(filter.text);
  return sensors.filter((sensor) => {
    if (filter.types && !filter.types.includes(sensor.deviceType)) return false;
    if (filter.troubled && !isTroubled(sensor)) return false;
    const { name, serial, description, deviceType } = sensor;
    return search(name, serial, description, deviceType, translateType(deviceType));
  });
}

export function sectionsByType(
  sensors: readonly ListedSensor[],
  categoryName: (name: string) => string,
): Section[] {
  const present = [...new Set(sensors.map(({ deviceType }) => deviceType))];
  return sensorCategories(present, false).map(({ name, types }) => ({
    id: name,
    title: categoryName(name),
    sensors: sensors.filter(({ deviceType }) => types.includes(deviceType)),
  }));
}

/** Group the list by farm. @param noFarm title of the sensors without a farm */
export function sectionsByFarm(
  sensors: readonly ListedSensor[],
  farms: ReadonlyMap<string, FarmValue>,
  noFarm: string,
): Section[] {
  const members = farmMembers({ farms });
  return groupByFarm(farms, sensors, ({ id }) => members.of(sensorKey(id))).map(
    ({ farm, things }): Section => ({
      id: farm?.id ?? "",
      title: farm?.name ?? noFarm,
      sensors: things,
    }),
  );
}

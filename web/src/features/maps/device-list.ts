import { type Category, mapCategories } from "@mulkko/shared/catalogue/categories";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { isMeasuring } from "../../domain/farm/device-tally.ts";
import { type Place, placeOf } from "../../domain/map/place.ts";
import { byName, searchFor } from "../../i18n/by-name.ts";

/** Facts of a sensor for the map's list; its row follows the reading by itself. */
export interface ListedDevice {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  /** Null where it is not placed: it has a note in place of a mark. */
  readonly place: Place | null;
}

/** A row of the categories, with how many of it there are. */
export interface CountedCategory extends Category {
  readonly count: number;
}

/** All sensors by name, those without a place among them. */
export function listDevices(sensors: ReadonlyMap<string, SensorValue>): ListedDevice[] {
  const listed = [...sensors].map(
    ([id, { info }]): ListedDevice => ({
      id,
      name: deviceName(info),
      serial: `${info.serial ?? "--"}`,
      deviceType: info.deviceType,
      place: placeOf(info),
    }),
  );
  return listed.sort(byName);
}

/** Count sensors as the dashboard and the list of sensors do: a box of valves is drawn, in a category of its own. */
export const countSensors = (devices: readonly ListedDevice[]): number =>
  devices.filter(({ deviceType }) => isMeasuring({ info: { deviceType } })).length;

/**
 * Count the sensors on the map and those without a place, of the types that are shown; null is all. Among all, a
 * box of valves is no sensor; shown by its own type, it counts.
 */
export function countPlaced(
  devices: readonly ListedDevice[],
  types: readonly string[] | null,
): { readonly placed: number; readonly unplaced: number } {
  const counted = devices.filter(({ deviceType }) =>
    types ? types.includes(deviceType) : isMeasuring({ info: { deviceType } }),
  );
  const placed = counted.filter(({ place }) => place !== null).length;
  return { placed, unplaced: counted.length - placed };
}

/** One row a category that is there: soil types as one, FMS and FMS02 apart. */
export function countCategories(devices: readonly ListedDevice[]): CountedCategory[] {
  const present = [...new Set(devices.map(({ deviceType }) => deviceType))].sort();
  return mapCategories(present).map((category) => ({
    ...category,
    count: devices.filter(({ deviceType }) => category.types.includes(deviceType)).length,
  }));
}

/** The types that an address names: `deviceType=SMS,SSH`, or the word more than once; null for all. */
export function typesIn(params: URLSearchParams): readonly string[] | null {
  const types = params.getAll("deviceType").flatMap((list) => list.split(","));
  const named = [...new Set(types.map((type) => type.trim()).filter((type) => type !== ""))];
  return named.length === 0 ? null : named;
}

/** True while every type of a category is shown by name; with all shown, none is. */
export function isShown(category: Category, types: readonly string[] | null): boolean {
  return types !== null && category.types.some((type) => types.includes(type));
}

/** The address that shows a category beside what is shown, or no longer shows it; all of them once none is left. */
export function withCategory(category: Category, types: readonly string[] | null): string {
  const others = (types ?? []).filter((type) => !category.types.includes(type));
  const next = isShown(category, types) ? others : [...others, ...category.types];
  return next.length === 0 ? "/maps" : `/maps/type?deviceType=${next.map(encodeURIComponent).join(",")}`;
}

/** @param typeWords the type's name in the reader's language, so that it can be searched for */
export function filterDevices(
  devices: readonly ListedDevice[],
  types: readonly string[] | null,
  text: string,
  typeWords: (type: string) => string,
): ListedDevice[] {
  const search = searchFor(text);
  return devices.filter(
    ({ name, serial, deviceType }) =>
      (types?.includes(deviceType) ?? true) && search(name, serial, deviceType, typeWords(deviceType)),
  );
}

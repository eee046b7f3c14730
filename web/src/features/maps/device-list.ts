import { type Category, mapCategories } from "@mulkko/shared/catalogue/categories";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { isMeasuring } from "../../domain/farm/device-tally.ts";
import { type Place, placeOf } from "../../domain/map/place.ts";
import { byName } from "../../i18n/by-name.ts";
import { searchFor } from "../../i18n/search.ts";

/** Facts of a sensor for the map's list; its row follows the reading itself. */
export interface ListedDevice {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  /** Null if not placed: it then has a note instead of a marker. */
  readonly place: Place | null;
}

/** A category with the number of its devices. */
export interface CountedCategory extends Category {
  readonly count: number;
}

/** Return all sensors by name, also those without a place. */
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

/** Count sensors as the dashboard and the sensor list do: a COT unit is shown in a category of its own. */
export const countSensors = (devices: readonly ListedDevice[]): number =>
  devices.filter(({ deviceType }) => isMeasuring({ info: { deviceType } })).length;

/**
 * Count the sensors of the shown types (null means all) on the map and without a place. A COT unit counts only
 * if its own type is shown.
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

/** Return the present categories: soil types as one, FMS and FMS02 separately. */
export function countCategories(devices: readonly ListedDevice[]): CountedCategory[] {
  const present = [...new Set(devices.map(({ deviceType }) => deviceType))].sort();
  return mapCategories(present).map((category) => ({
    ...category,
    count: devices.filter(({ deviceType }) => category.types.includes(deviceType)).length,
  }));
}

/** Return the types in an address: `deviceType=SMS,SSH`, or the parameter repeated; null means all. */
export function typesIn(params: URLSearchParams): readonly string[] | null {
  const types = params.getAll("deviceType").flatMap((list) => list.split(","));
  const named = [...new Set(types.map((type) => type.trim()).filter((type) => type !== ""))];
  return named.length === 0 ? null : named;
}

/** Return true if a type of the category is selected; with null, none is. */
export function isShown(category: Category, types: readonly string[] | null): boolean {
  return types !== null && category.types.some((type) => types.includes(type));
}

/** Return the address with a category added or removed; all are shown once none is left. */
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
  typeTexts: (type: string) => string,
): ListedDevice[] {
  const search = searchFor(text);
  return devices.filter(
    ({ name, serial, deviceType }) =>
      (types?.includes(deviceType) ?? true) && search(name, serial, deviceType, typeTexts(deviceType)),
  );
}

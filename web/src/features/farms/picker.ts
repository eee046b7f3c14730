import { byName } from "../../i18n/by-name.ts";

/** Sensor that can be put on a farm. */
export interface PickableSensor {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  /** Current farm, which it leaves if selected; null for none. */
  readonly farm: string | null;
}

/** Both lists as displayed. */
export interface PickerSides {
  /** By name, filtered by the text. */
  readonly available: readonly PickableSensor[];
  readonly selected: readonly PickableSensor[];
  /** Numbers without the search filter. */
  readonly counts: { readonly available: number; readonly selected: number };
  /** Selected sensors that leave another farm. */
  readonly moving: readonly PickableSensor[];
}

/**
 * @param selected ids in the order of selection
 * @param text search text for name, serial, type and farm
 * @param translateType translates a device type, so that the search finds it
 */
export function sidesOf(
  sensors: readonly PickableSensor[],
  selected: readonly string[],
  text: string,
  translateType: (type: string) => string,
): PickerSides {
  const wanted = text.trim().toLowerCase();
  const isFound = ({ name, serial, deviceType, farm }: PickableSensor): boolean =>
    wanted === "" ||
    [name, serial, deviceType, translateType(deviceType), farm ?? ""].some((word) =>
      word.toLowerCase().includes(wanted),
    );
  const byId = new Map(sensors.map((sensor) => [sensor.id, sensor]));
  // Drop sensors that were deleted on another screen.
  const chosen = selected.flatMap((id) => byId.get(id) ?? []);
  const isChosen = new Set(selected);
  const available = sensors.filter(({ id }) => !isChosen.has(id)).sort(byName);
  return {
    available: available.filter(isFound),
    selected: chosen.filter(isFound),
    counts: { available: available.length, selected: chosen.length },
    moving: chosen.filter(({ farm }) => farm !== null),
  };
}

/** Move a sensor to the other side. */
export const movePicked = (selected: readonly string[], id: string): readonly string[] =>
  selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id];

/** Select all given sensors; those already selected keep their place. */
export const pickAll = (
  selected: readonly string[],
  sensors: readonly PickableSensor[],
): readonly string[] => [...new Set([...selected, ...sensors.map(({ id }) => id)])];

/** Deselect the given sensors. */
export function dropAll(selected: readonly string[], sensors: readonly PickableSensor[]): readonly string[] {
  const gone = new Set(sensors.map(({ id }) => id));
  return selected.filter((id) => !gone.has(id));
}

import { byName } from "../../farm/by-name.ts";

/** A sensor that may be put on a farm. */
export interface PickableSensor {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  /** The farm that it leaves when it is chosen; null where it is on none. */
  readonly farm: string | null;
}

/** What stands on either side, and how both are narrowed down. */
export interface Picked {
  /** Ids in the order in which they were chosen. */
  readonly selected: readonly string[];
  /** Typed text, found in name, serial, type or farm. */
  readonly text: string;
}

export const NOTHING_PICKED: Picked = { selected: [], text: "" };

/** Both sides as they are drawn. */
export interface PickerSides {
  /** By name, narrowed by the text. */
  readonly available: readonly PickableSensor[];
  readonly selected: readonly PickableSensor[];
  /** How many there are without the text. */
  readonly counts: { readonly available: number; readonly selected: number };
  /** Chosen ones that leave another farm. */
  readonly moving: readonly PickableSensor[];
}

/** @param typeWords a device type's name in the reader's language, so that it can be searched for */
export function sidesOf(
  sensors: readonly PickableSensor[],
  { selected, text }: Picked,
  typeWords: (type: string) => string,
): PickerSides {
  const wanted = text.trim().toLowerCase();
  const isFound = ({ name, serial, deviceType, farm }: PickableSensor): boolean =>
    wanted === "" ||
    [name, serial, deviceType, typeWords(deviceType), farm ?? ""].some((word) =>
      word.toLowerCase().includes(wanted),
    );
  const byId = new Map(sensors.map((sensor) => [sensor.id, sensor]));
  // What was deleted on another screen meanwhile is not chosen any more.
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

/** A press on a sensor: it goes to the other side. */
export function movePicked(picked: Picked, id: string): Picked {
  const { selected } = picked;
  return {
    ...picked,
    selected: selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id],
  };
}

/** All sensors that are given go to the selected side, those that are there already stay in their place. */
export function pickAll(picked: Picked, sensors: readonly PickableSensor[]): Picked {
  return { ...picked, selected: [...new Set([...picked.selected, ...sensors.map(({ id }) => id)])] };
}

/** Those that are given go back. */
export function dropAll(picked: Picked, sensors: readonly PickableSensor[]): Picked {
  const gone = new Set(sensors.map(({ id }) => id));
  return { ...picked, selected: picked.selected.filter((id) => !gone.has(id)) };
}

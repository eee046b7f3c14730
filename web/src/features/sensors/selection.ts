import { categoryOf, type ListedSensor } from "./model.ts";

/** Most sensors that one look compares: more lines than that nobody tells apart. */
export const MOST_COMPARED = 20;

/** The sensors whose charts are wanted together, in the order in which they were chosen. */
export type Selection = readonly string[];

/** Why a sensor cannot join: it measures something else than those chosen, or they are enough. */
export type Refusal = { readonly why: "family"; readonly family: string } | { readonly why: "enough" };

/** What can be compared with each other: a category, as soil sensors of several types measure the same. */
const familyOf = ({ deviceType }: ListedSensor): string => categoryOf(deviceType).name;

/** The chosen ones that are still there. */
export function presentOf(selection: Selection, sensors: readonly ListedSensor[]): ListedSensor[] {
  const byId = new Map(sensors.map((sensor) => [sensor.id, sensor]));
  return selection.flatMap((id) => byId.get(id) ?? []);
}

/** Why a sensor cannot join those that are chosen; null if it can, or is one of them. */
export function refusalOf(chosen: readonly ListedSensor[], sensor: ListedSensor): Refusal | null {
  const [first] = chosen;
  if (!first || chosen.some(({ id }) => id === sensor.id)) return null;
  const family = familyOf(first);
  if (family !== familyOf(sensor)) return { why: "family", family };
  return chosen.length >= MOST_COMPARED ? { why: "enough" } : null;
}

/** Name of the selection in an address. */
export const CHOSEN = "chosen";

/** The selection of an address, each sensor once. */
export function readSelection(params: URLSearchParams): Selection {
  const ids = (params.get(CHOSEN) ?? "").split(",").filter((id) => id !== "");
  return [...new Set(ids)].slice(0, MOST_COMPARED);
}

/** Writes a selection into an address; an empty one leaves no trace. */
export function writeSelection(params: URLSearchParams, selection: Selection): URLSearchParams {
  const next = new URLSearchParams(params);
  if (selection.length === 0) next.delete(CHOSEN);
  else next.set(CHOSEN, selection.join(","));
  return next;
}

/** Takes a sensor in, or out again. */
export function toggled(selection: Selection, id: string): Selection {
  return selection.includes(id) ? selection.filter((each) => each !== id) : [...selection, id];
}

/**
 * Where the charts of the chosen sensors stand: one sensor's own log, or several compared.
 *
 * @param end last day, `YYYY-MM-DD`; null is today
 */
export function chartAddress(selection: Selection, end: string | null): string {
  const query = new URLSearchParams();
  if (selection.length === 1) query.set("id", selection[0] ?? "");
  else query.set("ids", selection.join(","));
  if (end !== null) query.set("end", end);
  return `/sensors/type?${query}`;
}

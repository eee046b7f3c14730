import { MAX_DESCRIPTION, MAX_NAME } from "@mulkko/shared/rest/farm";
import type { TFunction } from "i18next";

/** Farm fields that the name check uses. */
export interface NamedFarm {
  readonly id: string;
  readonly name: string;
}

/**
 * Return the other farm with the typed name; null if the name is free. Names are compared exactly, without
 * surrounding spaces, as in the farm API.
 *
 * @param own the farm that is renamed; null for a new one
 */
export function farmOfName(farms: readonly NamedFarm[], typed: string, own: string | null): NamedFarm | null {
  const name = typed.trim();
  if (name === "") return null;
  return farms.find((farm) => farm.id !== own && farm.name.trim() === name) ?? null;
}

/** Text fields of a farm. */
export interface FarmValues {
  readonly name: string;
  readonly description: string;
}

/**
 * Check a farm's name and description and return translated faults. `own` is the farm itself; null for a new
 * one.
 */
export function farmFaults(
  { name, description }: FarmValues,
  farms: readonly NamedFarm[],
  own: string | null,
  t: TFunction<"farms">,
): { name: string | undefined; description: string | undefined } {
  const longName = name.trim().length > MAX_NAME ? t("tooLong", { max: MAX_NAME }) : undefined;
  const taken = farmOfName(farms, name, own) ? t("nameTaken") : undefined;
  return {
    name: name.trim() === "" ? t("nameRequired") : (longName ?? taken),
    description: description.length > MAX_DESCRIPTION ? t("tooLong", { max: MAX_DESCRIPTION }) : undefined,
  };
}

import { MAX_DESCRIPTION, MAX_NAME } from "@mulkko/shared/rest/farm";
import type { TFunction } from "i18next";
import { farmOfName, type NamedFarm } from "./farm-name.ts";

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

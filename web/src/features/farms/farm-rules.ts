import { MAX_DESCRIPTION, MAX_NAME } from "@mulkko/shared/rest/farm";
import type { TFunction } from "i18next";
import { farmOfName, type NamedFarm } from "./farm-name.ts";

/** What a person writes of a farm. */
export interface FarmValues {
  readonly name: string;
  readonly description: string;
}

/** What is wrong with a farm's name and description, in words. `own` is the farm itself; null for a new one. */
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

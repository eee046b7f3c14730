import { cotChannelCount } from "@mulkko/shared/rules/valve";
import type { LogSource } from "../../log/sources/source.ts";

const COT = "COT";

/** Whose past a sensor's page shows: its own, or where it is a controller, that of each of its channels. */
export function sourcesOf(id: string, deviceType: string, chNums: number | null | undefined): LogSource[] {
  if (deviceType !== COT) return [{ kind: "sensor", id }];
  return Array.from({ length: cotChannelCount(chNums) }, (_, index) => ({
    kind: "channel",
    id,
    number: index + 1,
  }));
}

/** The ids of an address: several by `ids`, else one by `id`; each once. */
export function idsOf(params: URLSearchParams): string[] {
  const several = (params.get("ids") ?? "").split(",").filter((id) => id !== "");
  const one = params.get("id");
  return several.length > 0 ? [...new Set(several)] : one ? [one] : [];
}

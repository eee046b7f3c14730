import { cotChannelCount } from "@mulkko/shared/rules/valve";
import type { LogSource } from "../../domain/log/sources/source.ts";

const COT = "COT";

/** Return the sources of a sensor's log: the sensor itself, or each channel of a controller. */
export function sourcesOf(id: string, deviceType: string, chNums: number | null | undefined): LogSource[] {
  if (deviceType !== COT) return [{ kind: "sensor", id }];
  return Array.from({ length: cotChannelCount(chNums) }, (_, index) => ({
    kind: "channel",
    id,
    number: index + 1,
  }));
}

/** Return the unique ids in an address: several in `ids`, else one in `id`. */
export function idsOf(params: URLSearchParams): string[] {
  const several = (params.get("ids") ?? "").split(",").filter((id) => id !== "");
  const one = params.get("id");
  return several.length > 0 ? [...new Set(several)] : one ? [one] : [];
}

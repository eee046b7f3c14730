import type { ChannelValue } from "@mulkko/shared/live/devices";
import { drawnQuality, type Quality, type WaterNow, waterNow } from "@mulkko/shared/rules/quality";
import { useTranslation } from "react-i18next";
import { useKnowledge } from "../../live/hooks.ts";

/** The fields of a channel that decide whether water runs. */
type Watered = Pick<ChannelValue, "onoff" | "quality" | "link">;

/**
 * Return the known water state of a channel.
 *
 * @param links the best quality that the connections to the screen allow (ONL-2)
 */
export const waterOf = (channel: Watered, links: Quality): WaterNow =>
  waterNow(channel.onoff, drawnQuality(channel, links));

/** Number of valves by water state; each valve counts once. */
export type WaterSum = Readonly<Record<WaterNow, number>>;

/** Count channels by water state. A valve in an unknown state counts as unknown, never as closed. */
export function sumWater(water: Iterable<WaterNow>): WaterSum {
  const sum = { runs: 0, ran: 0, none: 0, unknown: 0 };
  for (const each of water) sum[each] += 1;
  return sum;
}

/** Return true if two counts are equal. */
export const sameWater = (a: WaterSum, b: WaterSum): boolean =>
  a.runs === b.runs && a.ran === b.ran && a.none === b.none && a.unknown === b.unknown;

/** Describe the counts in one line: running, running by the last report, and unknown. */
export function useWaterSentence({ runs, ran, none, unknown }: WaterSum): string {
  const { t } = useTranslation("common");
  const { known } = useKnowledge();
  if (runs + ran + unknown === 0) return t(known ? "water.none" : "water.cannotTell");
  return [
    ...(runs > 0 ? [t("water.running", { count: runs })] : []),
    ...(ran > 0 ? [t("water.unsure", { count: ran })] : []),
    // Beside unknown valves, show the number of closed ones, not of all.
    ...(runs + ran === 0 && none > 0 ? [t("water.closed", { count: none })] : []),
    ...(unknown > 0 ? [t("water.unknown", { count: unknown })] : []),
  ].join(" · ");
}

import { useCallback } from "react";
import type { FarmGroup } from "../../farm/farm-groups.ts";
import { groupByFarm, sensorIdsOfBox } from "../../farm/farm-groups.ts";
import { type ValveBox, valveBoxes } from "../../farm/valve-boxes.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";

const KINDS = ["controller", "channel", "sensor", "farm"] as const;
const BOX_KINDS = ["controller", "channel", "sensor"] as const;

/** Everything with valves, under its farms. */
export function useBoxGroups(): readonly FarmGroup<ValveBox>[] {
  return useLiveSelection(
    KINDS,
    useCallback((live: LiveFarm) => groupByFarm(live.farms, valveBoxes(live), sensorIdsOfBox), []),
  );
}

/** One thing with valves; null where it is not, or not any more. */
export function useBox(id: string): ValveBox | null {
  return useLiveSelection(
    BOX_KINDS,
    useCallback((live: LiveFarm) => valveBoxes(live).find((box) => box.id === id) ?? null, [id]),
  );
}

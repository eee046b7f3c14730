import { useCallback } from "react";
import { type FarmGroup, farmMembers, groupByFarm, unitKey } from "../../domain/farm/farm-members.ts";
import { type ValveUnit, valveUnits } from "../../domain/valve/valve-units.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";

const KINDS = ["controller", "channel", "sensor", "farm"] as const;
const UNIT_KINDS = ["controller", "channel", "sensor"] as const;

/** Return everything with valves, grouped by farm. */
export function useUnitGroups(): readonly FarmGroup<ValveUnit>[] {
  return useLiveSelection(
    KINDS,
    useCallback((live: LiveFarm) => {
      const members = farmMembers(live);
      return groupByFarm(live.farms, valveUnits(live), (unit) => members.of(unitKey(unit)));
    }, []),
  );
}

/** Return one controller or COT sensor; null if it does not exist. */
export function useUnit(id: string): ValveUnit | null {
  return useLiveSelection(
    UNIT_KINDS,
    useCallback((live: LiveFarm) => valveUnits(live).find((unit) => unit.id === id) ?? null, [id]),
  );
}

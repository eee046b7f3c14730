import { useCallback } from "react";
import { boardOf, nameOrder } from "../../domain/fleet/board.ts";
import { isAmiss } from "../../domain/fleet/device-state.ts";
import { NO_FILTER } from "../../domain/fleet/filter.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetSelection } from "../../domain/fleet/hooks.ts";
import { type FleetRows, fleetRows, sameFleetRows } from "./fleet-rows.ts";

const DEVICES = ["device"] as const;
const NAMES = ["names"] as const;

const orderIn = (store: FleetStore) => nameOrder(store.all("device"));
/** A wall has no search. */
const noWords = (type: string) => type;

/** Return the board's lines of the current turn, and follow them. @param lines number of lines that fit */
export function useFleetRows(lines: number, lap: number): FleetRows {
  const order = useFleetSelection(NAMES, orderIn);
  return useFleetSelection(
    DEVICES,
    useCallback(
      (store: FleetStore) => {
        const devices = store.all("device");
        const isWanted = (key: string): boolean => {
          const device = devices.get(key);
          return device !== undefined && isAmiss(device);
        };
        return fleetRows(boardOf(devices, order, NO_FILTER, noWords).entries, isWanted, lines, lap);
      },
      [order, lines, lap],
    ),
    sameFleetRows,
  );
}

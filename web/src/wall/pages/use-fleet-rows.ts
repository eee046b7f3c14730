import { useCallback } from "react";
import { boardOf, nameOrder } from "../../fleet/board.ts";
import { isAmiss } from "../../fleet/device-state.ts";
import { NO_FILTER } from "../../fleet/filter.ts";
import type { FleetStore } from "../../fleet/fleet-store.ts";
import { useFleetSelection } from "../../fleet/hooks.ts";
import { type FleetRows, fleetRows, sameFleetRows } from "./fleet-rows.ts";

const DEVICES = ["device"] as const;
const NAMES = ["names"] as const;

const orderIn = (store: FleetStore) => nameOrder(store.all("device"));
/** Nothing is searched for on a wall. */
const noWords = (type: string) => type;

/** The lines of the board that have their turn, followed. @param lines that have room */
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

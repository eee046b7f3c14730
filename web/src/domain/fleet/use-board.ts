import { useCallback } from "react";
import { useLabels } from "../../i18n/labels.ts";
import { type Board, boardOf, nameOrder, sameBoard } from "./board.ts";
import type { FleetFilter } from "./filter.ts";
import type { FleetStore } from "./fleet-store.ts";
import { useFleetSelection } from "./hooks.ts";

const DEVICES = ["device"] as const;
const NAMES = ["names"] as const;

const orderIn = (store: FleetStore) => nameOrder(store.all("device"));

/**
 * Return the board of a filter, kept up to date. @param filter must stay the same object while it is equal
 */
export function useBoard(filter: FleetFilter): Board {
  const { deviceType } = useLabels();
  const order = useFleetSelection(NAMES, orderIn);
  return useFleetSelection(
    DEVICES,
    useCallback(
      (store: FleetStore) => boardOf(store.all("device"), order, filter, deviceType),
      [order, filter, deviceType],
    ),
    sameBoard,
  );
}

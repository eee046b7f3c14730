import { useCallback } from "react";
import { valveUnits } from "../../domain/valve/valve-units.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type ValveNow, valvesNow } from "./valve-now.ts";

const KINDS = ["controller.listing", "channel", "sensor.listing"] as const;

const unchanged = (a: readonly ValveNow[], b: readonly ValveNow[]): boolean =>
  a.length === b.length &&
  a.every((valve, index) => {
    const other = b[index];
    return (
      other?.channel.value === valve.channel.value &&
      other.channel.name === valve.channel.name &&
      other.box.id === valve.box.id
    );
  });

/** Every channel of the account, the ones that matter now first. */
export function useValves(): readonly ValveNow[] {
  return useLiveSelection(
    KINDS,
    useCallback((live: LiveFarm) => valvesNow(valveUnits(live)), []),
    unchanged,
  );
}

import type { Quality, WaterNow } from "@mulkko/shared/rules/quality";
import { type UnitChannel, type ValveUnit, valveUnits } from "../../domain/valve/valve-units.ts";
import { waterOf } from "../../domain/watering/water-sum.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";

const KINDS = ["controller.listing", "channel", "sensor.listing"] as const;

const unchanged = (a: readonly ValveNow[], b: readonly ValveNow[]): boolean =>
  a.length === b.length &&
  a.every((valve, index) => {
    const other = b[index];
    return (
      other?.channel.value === valve.channel.value &&
      other.channel.name === valve.channel.name &&
      other.unit.id === valve.unit.id
    );
  });

const ofFarm = (live: LiveFarm): readonly ValveNow[] => valvesNow(valveUnits(live));

/** Return all channels of the account, most important first. */
export function useValves(): readonly ValveNow[] {
  return useLiveSelection(KINDS, ofFarm, unchanged);
}

/** One channel with its unit. */
export interface ValveNow {
  readonly unit: ValveUnit;
  readonly channel: UnitChannel;
}

/** Order of valves: trouble first, then open, then moving, then the rest. */
function rank({ channel: { value } }: ValveNow): number {
  const state = value.command?.state;
  if (state === "failed" || state === "unconfirmed") return 0;
  if (value.onoff === 1) return 1;
  return state === "requested" || state === "accepted" ? 2 : 3;
}

/** Return all channels, most important first, otherwise in the order of the units. */
export function valvesNow(units: readonly ValveUnit[]): ValveNow[] {
  return units
    .flatMap((unit) => unit.channels.map((channel) => ({ unit, channel })))
    .sort((a, b) => rank(a) - rank(b));
}

/**
 * Return the channels that are open by a live report, or with `ran` those open by their last one. Sorted by end;
 * channels without an end come last.
 */
export function waterIn(valves: readonly ValveNow[], water: WaterNow, links: Quality): ValveNow[] {
  const end = ({ channel }: ValveNow) => channel.value.runUntil ?? "9";
  return valves
    .filter(({ channel }) => waterOf(channel.value, links) === water)
    .sort((a, b) => (end(a) < end(b) ? -1 : end(a) > end(b) ? 1 : 0));
}

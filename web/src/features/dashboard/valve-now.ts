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

/** Return all channels of the account, by the names of their units. */
export function useValves(): readonly ValveNow[] {
  return useLiveSelection(KINDS, ofFarm, unchanged);
}

/** One channel with its unit. */
export interface ValveNow {
  readonly unit: ValveUnit;
  readonly channel: UnitChannel;
}

/** Return all channels, in the order of the units. */
export function valvesNow(units: readonly ValveUnit[]): ValveNow[] {
  return units.flatMap((unit) => unit.channels.map((channel) => ({ unit, channel })));
}

/** Return true for a valve that is open, moves, or has a command in trouble. */
const isBusy = ({ channel: { value } }: ValveNow): boolean => value.onoff === 1 || value.command !== null;

/**
 * Return the valves that a list of `most` shows. It keeps its places (UI-5): a valve that opens moves no row,
 * because the tap of a thumb that is on its way would open its neighbour. Busy valves beyond the maximum follow.
 */
export const listedValves = (valves: readonly ValveNow[], most: number): readonly ValveNow[] =>
  valves.filter((valve, index) => index < most || isBusy(valve));

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

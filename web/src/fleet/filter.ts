import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { FLEET_STATES, type FleetState, NEEDS, type Need, needsOf, stateOf } from "./device-state.ts";

/** What of the fleet is shown; within one of them any fits, an empty one is everything. */
export interface FleetFilter {
  readonly state: readonly FleetState[];
  readonly need: readonly Need[];
  readonly type: readonly string[];
  readonly account: readonly string[];
  readonly fw: readonly string[];
  /** Typed text, found in name, serial, owner, type or firmware. */
  readonly text: string;
  /** Only what went offline or came back since then, an ISO instant; null is everything. */
  readonly since: string | null;
}

/** The parts of a filter that are chosen among values. */
export const FACETS = ["state", "need", "type", "account", "fw"] as const;
export type Facet = (typeof FACETS)[number];

/** Stands for what a device does not say. */
export const UNSAID = "-";

/** Longest text that is searched for. */
const LONGEST_TEXT = 100;

export const NO_FILTER: FleetFilter = {
  state: [],
  need: [],
  type: [],
  account: [],
  fw: [],
  text: "",
  since: null,
};

/** What a device counts under, by facet. */
export function valuesOf(device: FleetDeviceValue): Readonly<Record<Facet, readonly string[]>> {
  return {
    state: [stateOf(device.quality)],
    need: needsOf(device),
    type: [device.deviceType ?? UNSAID],
    account: [accountOf(device)],
    fw: [device.fwversion ?? UNSAID],
  };
}

export const accountOf = ({ account }: Pick<FleetDeviceValue, "account">): string =>
  account === null ? UNSAID : `${account}`;

function instantIn(text: string | null): string | null {
  const instant = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? null : new Date(instant).toISOString();
}

/** Reads a filter from an address; what nobody knows is left out. */
export function filterIn(params: URLSearchParams): FleetFilter {
  const all = (name: string) => [...new Set(params.getAll(name).filter((value) => value !== ""))];
  const asked = { state: all("state"), need: all("need") };
  return {
    state: FLEET_STATES.filter((state) => asked.state.includes(state)),
    need: NEEDS.filter((need) => asked.need.includes(need)),
    type: all("type"),
    account: all("account"),
    fw: all("fw"),
    text: (params.get("q") ?? "").slice(0, LONGEST_TEXT),
    since: instantIn(params.get("since")),
  };
}

/** The address of a filter; what else stands in it stays. */
export function withFilter(params: URLSearchParams, filter: FleetFilter): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const facet of FACETS) {
    next.delete(facet);
    for (const value of filter[facet]) next.append(facet, value);
  }
  if (filter.text.trim() === "") next.delete("q");
  else next.set("q", filter.text);
  if (filter.since === null) next.delete("since");
  else next.set("since", filter.since);
  return next;
}

/** The filter with one value of a facet chosen, or no longer. */
export function toggled(filter: FleetFilter, facet: Facet, value: string): FleetFilter {
  const params = withFilter(new URLSearchParams(), filter);
  const chosen: readonly string[] = filter[facet];
  if (chosen.includes(value)) params.delete(facet, value);
  else params.append(facet, value);
  return filterIn(params);
}

export const isFiltered = (filter: FleetFilter): boolean =>
  filter.text.trim() !== "" || filter.since !== null || FACETS.some((facet) => filter[facet].length > 0);

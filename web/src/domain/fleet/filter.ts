import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { deviceState, FLEET_STATES, type FleetState, NEEDS, type Need, needsOf } from "./device-state.ts";

/** Filter of the fleet: any value of a facet matches, an empty facet matches everything. */
export interface FleetFilter {
  /** Priorities of urgent alarms. */
  readonly alarm: readonly DeviceAlarm[];
  readonly state: readonly FleetState[];
  readonly need: readonly Need[];
  readonly type: readonly string[];
  readonly account: readonly string[];
  readonly fw: readonly string[];
  /** Search text for what is written of a device and of its owner (FIND-2). */
  readonly text: string;
  /** Only devices that went offline or came back since this ISO instant; null for all. */
  readonly since: string | null;
}

/** Values of the facet of urgent alarms: their priorities (WARN-3). */
export const DEVICE_ALARMS = ["1", "2"] as const;
export type DeviceAlarm = (typeof DEVICE_ALARMS)[number];

export const FACETS = ["alarm", "state", "need", "type", "account", "fw"] as const;
export type Facet = (typeof FACETS)[number];

/** Value of a facet for devices that do not report it. */
export const UNSAID = "-";

const LONGEST_TEXT = 100;

export const NO_FILTER: FleetFilter = filterIn(new URLSearchParams());

/** Return the values of a device by facet. */
export function valuesOf(device: FleetDeviceValue): Readonly<Record<Facet, readonly string[]>> {
  return {
    alarm: device.alarm ? [`${device.alarm}`] : [],
    state: [deviceState(device)],
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

/** Read a filter from an address; unknown values are dropped. */
export function filterIn(params: URLSearchParams): FleetFilter {
  const all = (name: string) => [...new Set(params.getAll(name).filter((value) => value !== ""))];
  const asked = { alarm: all("alarm"), state: all("state"), need: all("need") };
  return {
    alarm: DEVICE_ALARMS.filter((alarm) => asked.alarm.includes(alarm)),
    state: FLEET_STATES.filter((state) => asked.state.includes(state)),
    need: NEEDS.filter((need) => asked.need.includes(need)),
    type: all("type"),
    account: all("account"),
    fw: all("fw"),
    text: (params.get("q") ?? "").slice(0, LONGEST_TEXT),
    since: instantIn(params.get("since")),
  };
}

/** Return the address parameters with a filter; other parameters stay. */
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

/** Return the filter with one value of a facet added or removed. */
export function toggled(filter: FleetFilter, facet: Facet, value: string): FleetFilter {
  const params = withFilter(new URLSearchParams(), filter);
  const chosen: readonly string[] = filter[facet];
  if (chosen.includes(value)) params.delete(facet, value);
  else params.append(facet, value);
  return filterIn(params);
}

export const isFiltered = (filter: FleetFilter): boolean =>
  filter.text.trim() !== "" || filter.since !== null || FACETS.some((facet) => filter[facet].length > 0);

import type { FleetAccountValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { shallow } from "zustand/shallow";
import { byName } from "../../i18n/by-name.ts";
import { searchableText, textSearch } from "../../i18n/search.ts";
import {
  ageTime,
  deviceState,
  type FleetState,
  hasFlippedSince,
  nameOf,
  rankOf,
  SILENT_FROM,
  WELL_FROM,
} from "./device-state.ts";
import { accountOf, FACETS, type Facet, type FleetFilter, valuesOf } from "./filter.ts";
import { type AccountAlarms, type UrgentPriority, urgencyPlace } from "./urgent.ts";

type Devices = ReadonlyMap<string, FleetDeviceValue>;
type Owners = ReadonlyMap<string, FleetAccountValue>;
const NO_OWNERS: Owners = new Map();

/** Heading of an account on the board, with the state of its shown devices. */
export interface AccountEntry {
  readonly kind: "account";
  readonly id: string;
  /** Null if the owner is unknown. */
  readonly username: string | null;
  /** The account's worst urgent alarm, of any of its devices or of the whole account. */
  readonly alarm: UrgentPriority | null;
  readonly worst: FleetState;
  readonly shown: number;
  readonly offline: number;
  readonly lost: number;
  readonly late: number;
  readonly unknown: number;
  readonly never: number;
}

export type BoardEntry = AccountEntry | { readonly kind: "device"; readonly key: string };

/** Number of devices that each value of a facet would show, given the other filters. */
export type FacetCounts = Readonly<Record<Facet, ReadonlyMap<string, number>>>;

export interface Board {
  readonly entries: readonly BoardEntry[];
  readonly counts: FacetCounts;
  readonly shown: number;
  readonly total: number;
}

/** Return each device's rank by name. Locale comparison is slow, and names rarely change. */
export function nameOrder(devices: Devices): ReadonlyMap<string, number> {
  const named = [...devices].map(([key, device]) => ({ key, name: nameOf(device) }));
  return new Map(named.sort(byName).map(({ key }, place) => [key, place]));
}

const searched = new WeakMap<FleetDeviceValue, string>();
const searchedOwners = new WeakMap<FleetAccountValue, string>();

function textOf(device: FleetDeviceValue, translateType: (type: string) => string): string {
  const known = searched.get(device);
  if (known !== undefined) return known;
  const { name, farm, serial, username, deviceType, fwversion } = device;
  const typeName = deviceType === null ? null : translateType(deviceType);
  const text = searchableText([name, farm, serial, username, deviceType, typeName, fwversion]);
  searched.set(device, text);
  return text;
}

function ownerText(account: FleetAccountValue): string {
  const known = searchedOwners.get(account);
  if (known !== undefined) return known;
  const text = searchableText([account.nickname, account.phone, account.farmAddress]);
  searchedOwners.set(account, text);
  return text;
}

/**
 * Return a test of devices for a typed text: what is written of the device, and of the person who answers for
 * it (FIND-2). Null for an empty text.
 */
function deviceSearch(
  typed: string,
  owners: Owners,
  translateType: (type: string) => string,
): ((device: FleetDeviceValue) => boolean) | null {
  if (typed.trim() === "") return null;
  const isWanted = textSearch(typed);
  const wantedOwners = new Set(
    [...owners.values()].filter((account) => isWanted(ownerText(account))).map(({ id }) => `${id}`),
  );
  return (device) =>
    isWanted(textOf(device, translateType)) ||
    (device.account !== null && wantedOwners.has(`${device.account}`));
}

interface Placed {
  readonly key: string;
  readonly state: FleetState;
  readonly rank: number;
  /** Time of its age, ms UTC; the longest silence comes first. */
  readonly lastReport: number;
  readonly place: number;
}

const inOrder = (a: Placed, b: Placed): number =>
  a.rank - b.rank || a.lastReport - b.lastReport || a.place - b.place;

function placed(key: string, device: FleetDeviceValue, place: number): Placed {
  const rank = rankOf(device);
  // Sort devices that are not silent by name: their rows would move with every report otherwise.
  const at = ageTime(device);
  const isBySilence = rank >= SILENT_FROM && rank < WELL_FROM;
  const lastReport = isBySilence && at !== null ? Date.parse(at) : 0;
  return { key, state: deviceState(device), rank, lastReport, place };
}

interface Group {
  readonly id: string;
  username: string | null;
  readonly alarm: UrgentPriority | null;
  readonly members: Placed[];
  readonly tally: Record<FleetState, number>;
  worst: Placed;
}

/**
 * Sort the account with the worst urgent alarm first (WARN-3), then by the worst state, by the numbers of
 * offline and of late devices, by the longest silence, and by name (CALL-2).
 */
function byTrouble(a: Group, b: Group): number {
  return (
    urgencyPlace(a.alarm) - urgencyPlace(b.alarm) ||
    a.worst.rank - b.worst.rank ||
    b.tally.offline - a.tally.offline ||
    b.tally.late - a.tally.late ||
    a.worst.lastReport - b.worst.lastReport ||
    byName({ name: a.username ?? "" }, { name: b.username ?? "" })
  );
}

const NO_ALARMS: AccountAlarms = new Map();

function tallied(
  devices: Iterable<readonly [string, FleetDeviceValue]>,
  order: ReadonlyMap<string, number>,
  alarms: AccountAlarms,
) {
  const groups = new Map<string, Group>();
  for (const [key, device] of devices) {
    const member = placed(key, device, order.get(key) ?? 0);
    const id = accountOf(device);
    let group = groups.get(id);
    if (!group) {
      const tally = { offline: 0, lost: 0, unknown: 0, late: 0, never: 0, fresh: 0 };
      const alarm = alarms.get(id) ?? null;
      group = { id, username: device.username, alarm, members: [], tally, worst: member };
      groups.set(id, group);
    }
    group.members.push(member);
    group.tally[member.state] += 1;
    group.username ??= device.username;
    const { worst } = group;
    const isWorse = member.rank < worst.rank;
    if (isWorse || (member.rank === worst.rank && member.lastReport < worst.lastReport)) group.worst = member;
  }
  return groups;
}

/** Return each account's rank on the unfiltered board. Viewing an account does not move it. */
export function accountPlaces(devices: Devices, alarms: AccountAlarms): ReadonlyMap<string, number> {
  const groups = [...tallied(devices, new Map(), alarms).values()].sort(byTrouble);
  return new Map(groups.map(({ id }, place) => [id, place]));
}

/**
 * Build the board: matching devices by account, worst first, and the counts of the filters. It makes one pass
 * over the fleet, because it runs twice a second for ten thousand devices.
 *
 * @param order from {@link nameOrder}
 * @param translateType translates a device type, so that the search finds it
 * @param alarms the worst urgent alarm of each account
 * @param owners accounts with the person, telephone and farm that the search finds
 */
export function boardOf(
  devices: Devices,
  order: ReadonlyMap<string, number>,
  filter: FleetFilter,
  translateType: (type: string) => string,
  alarms: AccountAlarms = NO_ALARMS,
  owners: Owners = NO_OWNERS,
): Board {
  const isWanted = deviceSearch(filter.text, owners, translateType);
  const since = filter.since === null ? null : Date.parse(filter.since);
  const counts: Record<Facet, Map<string, number>> = {
    alarm: new Map(),
    state: new Map(),
    need: new Map(),
    type: new Map(),
    account: new Map(),
    fw: new Map(),
  };
  const fitting: [string, FleetDeviceValue][] = [];
  for (const entry of devices) {
    const [, device] = entry;
    if (isWanted?.(device) === false) continue;
    if (since !== null && !hasFlippedSince(device, since)) continue;
    const values = valuesOf(device);
    // A value is counted within the other facets' filters, so that the number is what a click on it shows.
    const missed = FACETS.filter((facet) => {
      const chosen: readonly string[] = filter[facet];
      return chosen.length > 0 && !values[facet].some((value) => chosen.includes(value));
    });
    if (missed.length === 0) fitting.push(entry);
    if (missed.length > 1) continue;
    for (const facet of missed.length === 0 ? FACETS : missed) {
      for (const value of values[facet]) counts[facet].set(value, (counts[facet].get(value) ?? 0) + 1);
    }
  }
  const entries: BoardEntry[] = [];
  for (const group of [...tallied(fitting, order, alarms).values()].sort(byTrouble)) {
    const { id, username, alarm, members, tally, worst } = group;
    const { fresh: _, ...counts } = tally;
    entries.push({
      kind: "account",
      id,
      username,
      alarm,
      worst: worst.state,
      shown: members.length,
      ...counts,
    });
    for (const { key } of members.sort(inOrder)) entries.push({ kind: "device", key });
  }
  return { entries, counts, shown: fitting.length, total: devices.size };
}

/** Return true for lines that look the same; a cheap comparison of devices, of which there are thousands. */
const sameEntry = (a: BoardEntry, b: BoardEntry | undefined): boolean =>
  a.kind === "device" && b?.kind === "device" ? a.key === b.key : shallow<unknown>(a, b);

/** Return true for boards that look the same. */
export function sameBoard(a: Board, b: Board): boolean {
  return (
    a.total === b.total &&
    a.entries.length === b.entries.length &&
    FACETS.every((facet) => shallow(a.counts[facet], b.counts[facet])) &&
    a.entries.every((entry, index) => sameEntry(entry, b.entries[index]))
  );
}

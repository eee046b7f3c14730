import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { byName } from "../farm/by-name.ts";
import { type FleetState, hasFlippedSince, nameOf, rankOf, stateOf } from "./device-state.ts";
import { accountOf, FACETS, type Facet, type FleetFilter, valuesOf } from "./filter.ts";

type Devices = ReadonlyMap<string, FleetDeviceValue>;

/** The heading of an account on the board: how its shown devices stand together. */
export interface AccountEntry {
  readonly kind: "account";
  readonly id: string;
  /** Null where nobody says whose they are. */
  readonly username: string | null;
  readonly worst: FleetState;
  readonly shown: number;
  readonly offline: number;
  readonly late: number;
}

/** A line of the board. */
export type BoardEntry = AccountEntry | { readonly kind: "device"; readonly key: string };

/** How many devices each value of a facet would show beside what else is chosen. */
export type FacetCounts = Readonly<Record<Facet, ReadonlyMap<string, number>>>;

/** The board as it is drawn. */
export interface Board {
  readonly entries: readonly BoardEntry[];
  readonly counts: FacetCounts;
  readonly shown: number;
  readonly total: number;
}

/**
 * Each device's place by its name among all: comparing names as people do is slow, and they rarely change.
 */
export function nameOrder(devices: Devices): ReadonlyMap<string, number> {
  const named = [...devices].map(([key, device]) => ({ key, name: nameOf(device) }));
  return new Map(named.sort(byName).map(({ key }, place) => [key, place]));
}

/** What is searched, kept with the value that it was made of. */
const searched = new WeakMap<FleetDeviceValue, string>();

function textOf(device: FleetDeviceValue, typeWords: (type: string) => string): string {
  const known = searched.get(device);
  if (known !== undefined) return known;
  const { name, serial, username, deviceType, fwversion } = device;
  const words = deviceType === null ? null : typeWords(deviceType);
  const text = [name, serial, username, deviceType, words, fwversion].join("\n").toLowerCase();
  searched.set(device, text);
  return text;
}

interface Placed {
  readonly key: string;
  readonly rank: number;
  /** When it was heard last, ms UTC; who is silent the longest comes first. */
  readonly heard: number;
  readonly place: number;
}

const inOrder = (a: Placed, b: Placed): number => a.rank - b.rank || a.heard - b.heard || a.place - b.place;
/** Of devices that are well, the name says where they stand: their rows would never rest otherwise. */
const WELL = 4;

function placed(key: string, device: FleetDeviceValue, place: number): Placed {
  const rank = rankOf(device);
  const heard = rank >= WELL || device.heardAt === null ? 0 : Date.parse(device.heardAt);
  return { key, rank, heard, place };
}

interface Group {
  readonly id: string;
  username: string | null;
  readonly members: Placed[];
  readonly tally: Record<FleetState, number>;
  worst: Placed;
  worstState: FleetState;
}

/** The worst account first; of two alike the one with more silence, then by name. */
function byTrouble(a: Group, b: Group): number {
  return (
    a.worst.rank - b.worst.rank ||
    b.tally.offline - a.tally.offline ||
    b.tally.late - a.tally.late ||
    byName({ name: a.username ?? "" }, { name: b.username ?? "" })
  );
}

function tallied(devices: Iterable<readonly [string, FleetDeviceValue]>, order: ReadonlyMap<string, number>) {
  const groups = new Map<string, Group>();
  for (const [key, device] of devices) {
    const member = placed(key, device, order.get(key) ?? 0);
    const id = accountOf(device);
    const state = stateOf(device.quality);
    let group = groups.get(id);
    if (!group) {
      const tally = { offline: 0, unknown: 0, late: 0, never: 0, fresh: 0 };
      group = { id, username: device.username, members: [], tally, worst: member, worstState: state };
      groups.set(id, group);
    }
    group.members.push(member);
    group.tally[state] += 1;
    group.username ??= device.username;
    if (member.rank < group.worst.rank) [group.worst, group.worstState] = [member, state];
  }
  return groups;
}

/**
 * Each account's place on the board when all devices are shown: by what is known of every account alike, so that no
 * account moves because someone has looked at it.
 */
export function accountPlaces(devices: Devices): ReadonlyMap<string, number> {
  const groups = [...tallied(devices, new Map()).values()].sort(byTrouble);
  return new Map(groups.map(({ id }, place) => [id, place]));
}

/**
 * The board: devices that fit under their accounts, the worst first, and what each choice would show. One pass over
 * the fleet: it is made twice a second while ten thousand devices come and go.
 *
 * @param order of {@link nameOrder}
 * @param typeWords the type's name in the reader's language, so that it can be searched for
 */
export function boardOf(
  devices: Devices,
  order: ReadonlyMap<string, number>,
  filter: FleetFilter,
  typeWords: (type: string) => string,
): Board {
  const wanted = filter.text.trim().toLowerCase();
  const since = filter.since === null ? null : Date.parse(filter.since);
  const chosen = FACETS.map((facet) => new Set<string>(filter[facet]));
  const counts = FACETS.map(() => new Map<string, number>());
  const fitting: [string, FleetDeviceValue][] = [];
  for (const entry of devices) {
    const [, device] = entry;
    if (wanted !== "" && !textOf(device, typeWords).includes(wanted)) continue;
    if (since !== null && !hasFlippedSince(device, since)) continue;
    const values = valuesOf(device);
    // A value is counted by what the other facets leave, so that the number says what a press on it shows.
    let misses = 0;
    let missed = -1;
    for (const [index, facet] of FACETS.entries()) {
      const set = chosen[index];
      if (!set || set.size === 0 || values[facet].some((value) => set.has(value))) continue;
      misses += 1;
      missed = index;
    }
    if (misses === 0) fitting.push(entry);
    if (misses > 1) continue;
    for (const [index, facet] of FACETS.entries()) {
      if (misses === 1 && index !== missed) continue;
      const count = counts[index];
      for (const value of values[facet]) count?.set(value, (count.get(value) ?? 0) + 1);
    }
  }
  const entries: BoardEntry[] = [];
  for (const group of [...tallied(fitting, order).values()].sort(byTrouble)) {
    const { id, username, members, tally, worstState: worst } = group;
    const { offline, late } = tally;
    entries.push({ kind: "account", id, username, worst, shown: members.length, offline, late });
    for (const { key } of members.sort(inOrder)) entries.push({ kind: "device", key });
  }
  const [state, need, type, account, fw] = counts;
  const none = new Map<string, number>();
  return {
    entries,
    counts: {
      state: state ?? none,
      need: need ?? none,
      type: type ?? none,
      account: account ?? none,
      fw: fw ?? none,
    },
    shown: fitting.length,
    total: devices.size,
  };
}

const sameEntry = (a: BoardEntry, b: BoardEntry | undefined): boolean => {
  if (b === undefined || a.kind !== b.kind) return false;
  if (a.kind === "device") return b.kind === "device" && a.key === b.key;
  return (
    b.kind === "account" &&
    a.id === b.id &&
    a.username === b.username &&
    a.worst === b.worst &&
    a.shown === b.shown &&
    a.offline === b.offline &&
    a.late === b.late
  );
};

const sameCounts = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean =>
  a.size === b.size && [...a].every(([value, count]) => b.get(value) === count);

/** True for boards that would be drawn alike. */
export function sameBoard(a: Board, b: Board): boolean {
  return (
    a.total === b.total &&
    a.entries.length === b.entries.length &&
    FACETS.every((facet) => sameCounts(a.counts[facet], b.counts[facet])) &&
    a.entries.every((entry, index) => sameEntry(entry, b.entries[index]))
  );
}

import type {
  FleetAccountValue,
  FleetDeviceValue,
  FleetFlip,
  FleetListValue,
} from "@mulkko/shared/live/fleet";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { DEVICE_HEALTH } from "@mulkko/shared/rules/device-health";
import { type Quality, worseQuality } from "@mulkko/shared/rules/quality";
import { byName } from "../farm/by-name.ts";
import { accountPlaces } from "./board.ts";
import { type FleetState, hasFlippedSince, type Need, needsOf, stateOf } from "./device-state.ts";

type Devices = ReadonlyMap<string, FleetDeviceValue>;

/** A device with its key in the stream. */
export interface KeyedDevice {
  readonly key: string;
  readonly device: FleetDeviceValue;
}

/** How many devices stand how, each no better than the links allow (ONL-2). */
export function tallyOf(devices: Devices, link: Quality = "fresh"): Readonly<Record<FleetState, number>> {
  const tally = { offline: 0, unknown: 0, late: 0, never: 0, fresh: 0 };
  for (const { quality } of devices.values()) tally[stateOf(worseQuality(quality, link))] += 1;
  return tally;
}

/** Late and offline devices, whoever is silent the longest first. */
export function silentLongest(devices: Devices): KeyedDevice[] {
  const silent: KeyedDevice[] = [];
  for (const [key, device] of devices) {
    if (device.heardAt !== null && (device.quality === "offline" || device.quality === "late")) {
      silent.push({ key, device });
    }
  }
  return silent.sort((a, b) => Date.parse(a.device.heardAt ?? "") - Date.parse(b.device.heardAt ?? ""));
}

/** When a working day's evening begins, by the reader's clock. */
const EVENING = "18:00";
const DAY_MS = 86_400_000;

/** Yesterday evening, ms UTC. @param zone IANA name of the reader's clock */
export function yesterdayEvening(now: number, zone: string): number {
  const clock = createApiTimeZone(zone);
  const yesterday = clock.toApi(now - DAY_MS).slice(0, 10);
  return clock.toInstant(`${yesterday} ${EVENING}`) ?? now - DAY_MS;
}

/** A device that went or came back, with when. */
export interface FlippedDevice extends KeyedDevice {
  readonly flip: FleetFlip;
}

/** What went offline or came back since an instant (ms UTC), the newest first. Of each device the last time counts. */
export function flippedSince(devices: Devices, since: number): FlippedDevice[] {
  const flipped: FlippedDevice[] = [];
  for (const [key, device] of devices) {
    const { flip } = device;
    if (flip !== null && hasFlippedSince(device, since)) flipped.push({ key, device, flip });
  }
  return flipped.sort((a, b) => Date.parse(b.flip.at) - Date.parse(a.flip.at));
}

/** When a device that came back did so, or one that went was heard last: the relay says so an hour later. ms UTC */
export const flipTime = ({ at, online, last }: FleetFlip): number => Date.parse(online ? at : (last ?? at));

/** From when on flips are known, ms UTC, where that is after `since`; null: all since then are known. */
export function knownOnlySince(list: FleetListValue | undefined, since: number): number | null {
  const known = list?.knownSince == null ? null : Date.parse(list.knownSince);
  return known !== null && known > since ? known : null;
}

/** Something to do at a device: one way for all that it wants. */
export interface Errand extends KeyedDevice {
  readonly needs: readonly Need[];
}

/** dBm below the limit at which next to nothing gets through. */
const LOST_SIGNAL_DB = 20;

/** How far beyond its limits a device is: an empty battery 1, a signal that is all but lost 1, both together 2. */
export function urgencyOf({ battery, rssi }: Pick<FleetDeviceValue, "battery" | "rssi">): number {
  const { lowBelow } = DEVICE_HEALTH.battery;
  const { weakBelow } = DEVICE_HEALTH.signal;
  const emptied = battery === null ? 0 : (lowBelow - battery) / lowBelow;
  const faded = rssi === null ? 0 : (weakBelow - rssi) / LOST_SIGNAL_DB;
  return [emptied, faded].reduce((sum, part) => sum + Math.min(1, Math.max(0, part)), 0);
}

/** Low batteries and weak signals as a list to work through, the most urgent first. */
export function errands(devices: Devices): Errand[] {
  const todo: Errand[] = [];
  for (const [key, device] of devices) {
    const needs = needsOf(device);
    if (needs.length > 0) todo.push({ key, device, needs });
  }
  return todo.sort((a, b) => urgencyOf(b.device) - urgencyOf(a.device) || (a.key < b.key ? -1 : 1));
}

/** Accounts whose commands the relay does not know, since it does not watch them by itself. */
export function unwatchedCount(accounts: Iterable<FleetAccountValue>): number {
  return [...accounts].filter(({ watched }) => !watched).length;
}

/** Accounts in the order of the board; those without devices stand last, by name. */
export function accountsByTrouble(
  accounts: Iterable<FleetAccountValue>,
  devices: Devices,
): FleetAccountValue[] {
  const places = accountPlaces(devices);
  const placeOf = ({ id }: FleetAccountValue): number => places.get(`${id}`) ?? places.size;
  const nameOf = ({ id, username }: FleetAccountValue) => ({ name: username ?? `${id}` });
  return [...accounts].sort((a, b) => placeOf(a) - placeOf(b) || byName(nameOf(a), nameOf(b)));
}

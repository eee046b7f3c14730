import type {
  FleetAccountValue,
  FleetDeviceValue,
  FleetFlip,
  FleetListValue,
} from "@mulkko/shared/live/fleet";
import { addDays, dateAt, timeOnDate, zoneNamed } from "@mulkko/shared/rules/calendar";
import { batteryLimits, batteryPercent, signalLimits } from "@mulkko/shared/rules/device-health";
import type { Quality } from "@mulkko/shared/rules/quality";
import { byName } from "../../i18n/by-name.ts";
import { accountPlaces } from "./board.ts";
import { ageTime, deviceState, type FleetState, hasFlippedSince, needsOf } from "./device-state.ts";
import type { FleetStore } from "./fleet-store.ts";
import { type AccountAlarms, urgencyPlace } from "./urgent.ts";

type Devices = ReadonlyMap<string, FleetDeviceValue>;

/** Device with its key in the stream. */
export interface KeyedDevice {
  readonly key: string;
  readonly device: FleetDeviceValue;
}

const keyed = (devices: Devices): KeyedDevice[] => [...devices].map(([key, device]) => ({ key, device }));

/** Count the devices by state, each no better than the links allow (ONL-2). */
export function tallyOf(devices: Devices, link: Quality = "fresh"): Readonly<Record<FleetState, number>> {
  const tally = { offline: 0, lost: 0, unknown: 0, late: 0, never: 0, fresh: 0 };
  for (const device of devices.values()) tally[deviceState(device, link)] += 1;
  return tally;
}

/**
 * Return late, lost and offline devices, longest silence first.
 *
 * @param links over links that deliver nothing every device becomes late: that is not its own silence
 */
export function silentLongest(devices: Devices, links: Quality = "fresh"): KeyedDevice[] {
  const silences: readonly FleetState[] =
    links === "fresh" ? ["offline", "lost", "late"] : ["offline", "lost"];
  const isSilent = ({ device }: KeyedDevice) =>
    device.heardAt !== null && silences.includes(deviceState(device));
  return keyed(devices)
    .filter(isSilent)
    .sort((a, b) => Date.parse(ageTime(a.device) ?? "") - Date.parse(ageTime(b.device) ?? ""));
}

/** Start of the evening on the reader's clock. */
const EVENING = "18:00";

/** Return yesterday evening, ms UTC. @param zone IANA name of the reader's time zone */
export function yesterdayEvening(now: number, zone: string): number {
  const clock = zoneNamed(zone);
  return timeOnDate(addDays(dateAt(now, clock), -1), EVENING, clock) ?? now;
}

/**
 * Return what went offline or came back since an instant (ms UTC), newest first. Only the last change of a
 * device counts.
 */
export function flippedSince(devices: Devices, since: number): KeyedDevice[] {
  return keyed(devices)
    .filter(({ device }) => hasFlippedSince(device, since))
    .sort((a, b) => Date.parse(b.device.flip?.at ?? "") - Date.parse(a.device.flip?.at ?? ""));
}

/** Changes of one farm, as one thing to call about. */
export interface FarmFlips {
  /** Its only device, or the newest change of several. */
  readonly newest: KeyedDevice;
  readonly went: number;
  readonly back: number;
}

/**
 * Return the changes since an instant (ms UTC) by farm, newest first: a farm that is gone as a whole is one
 * thing, not one for each device. Devices of one account without a farm belong together.
 */
export function flipsByFarm(devices: Devices, since: number): FarmFlips[] {
  const farms = new Map<string, FarmFlips>();
  for (const flipped of flippedSince(devices, since)) {
    const { account, farm = null, flip } = flipped.device;
    const id = account === null ? flipped.key : JSON.stringify([`${account}`, farm]);
    const { newest, went, back } = farms.get(id) ?? { newest: flipped, went: 0, back: 0 };
    farms.set(id, flip?.online ? { newest, went, back: back + 1 } : { newest, went: went + 1, back });
  }
  return [...farms.values()];
}

/**
 * Return when a device came back, or when one that went offline last reported, ms UTC: the relay detects that
 * up to an hour later.
 */
export const flipTime = ({ at, online, last }: FleetFlip): number => Date.parse(online ? at : (last ?? at));

/** Return the instant since which flips are known, ms UTC, if it is after `since`; null if all are known. */
export function knownOnlySince(list: FleetListValue | undefined, since: number): number | null {
  const known = list?.knownSince == null ? null : Date.parse(list.knownSince);
  return known !== null && known > since ? known : null;
}

/** dB below the limit at which almost no message arrives. */
const LOST_SIGNAL_DB = 20;

/**
 * Return how far a device exceeds its limits: 1 for an empty battery, 1 for an almost lost signal, 2 for
 * both.
 */
export function urgencyOf({
  battery,
  rssi,
  deviceType,
}: Pick<FleetDeviceValue, "battery" | "rssi" | "deviceType">): number {
  const lowBelow = batteryLimits(deviceType).beginsBelow;
  const weakBelow = signalLimits(deviceType).beginsBelow;
  const percent = batteryPercent(battery);
  const emptied = percent === null ? 0 : (lowBelow - percent) / lowBelow;
  const faded = rssi === null ? 0 : (weakBelow - rssi) / LOST_SIGNAL_DB;
  return [emptied, faded].reduce((sum, part) => sum + Math.min(1, Math.max(0, part)), 0);
}

/** Return the devices with low batteries or weak signals, most urgent first: one task for all of its needs. */
export function maintenanceTasks(devices: Devices): KeyedDevice[] {
  return keyed(devices)
    .filter(({ device }) => needsOf(device).length > 0)
    .sort((a, b) => urgencyOf(b.device) - urgencyOf(a.device) || (a.key < b.key ? -1 : 1));
}

/** Return false if the farm API reports no device's owner. */
export function fleetTellsOwners(store: Pick<FleetStore, "all">): boolean {
  const devices = store.all("device");
  if (devices.size === 0 || store.all("account").size > 0) return true;
  return [...devices.values()].some(({ account }) => account !== null);
}

/** Return false if every device is in an unknown state. */
export function fleetKnowsAny(store: Pick<FleetStore, "all">): boolean {
  const devices = store.all("device");
  return devices.size === 0 || [...devices.values()].some(({ quality }) => quality !== "unknown");
}

/**
 * Return the accounts in the board's order: those with urgent alarms first (WARN-2), those without devices
 * last, by name.
 *
 * @param alarms the worst urgent alarm of each account
 */
export function accountsByTrouble(
  accounts: Iterable<FleetAccountValue>,
  devices: Devices,
  alarms: AccountAlarms,
): FleetAccountValue[] {
  const places = accountPlaces(devices, alarms);
  const alarmPlaceOf = ({ id }: FleetAccountValue): number => urgencyPlace(alarms.get(`${id}`));
  const placeOf = ({ id }: FleetAccountValue): number => places.get(`${id}`) ?? places.size;
  const nameOf = ({ id, username }: FleetAccountValue) => ({ name: username ?? `${id}` });
  return [...accounts].sort(
    (a, b) => alarmPlaceOf(a) - alarmPlaceOf(b) || placeOf(a) - placeOf(b) || byName(nameOf(a), nameOf(b)),
  );
}

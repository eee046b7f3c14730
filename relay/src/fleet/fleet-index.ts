import type {
  FleetAccountValue,
  FleetDeviceValue,
  FleetFlip,
  FleetListValue,
} from "@mulkko/shared/live/fleet";
import { fleetAccountKey, fleetCommandKey, fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { isPossibleFlip, lastFlip } from "@mulkko/shared/rules/presence";
import { type DeviceLink, type Quality, worseQuality } from "@mulkko/shared/rules/quality";
import type { ShownPresence } from "../account/presence-watch.ts";
import type { AccountWriter } from "../account/writer.ts";
import type { StateValue } from "../store/streams.ts";
import type { WaterReport } from "./account-water.ts";
import { alarmOwner, FleetAlarms } from "./fleet-alarms.ts";
import { isSameDevice, type LastSeen, type ListedDevice } from "./fleet-list.ts";
import { type AccountReport, type DeviceReport, olderMeasurement, UNCONFIRMED_MS } from "./reports.ts";
import type { WatchStates } from "./watch-roster.ts";

/** Alarms and water of all accounts, and how many of them are not known. */
export type FleetSums = Required<
  Pick<FleetListValue, "urgent" | "openValves" | "openBeyondEnd" | "unknownValves" | "unwatched" | "leftOff">
>;

export interface FleetIndexDeps {
  readonly writer: Pick<AccountWriter, "get" | "keys" | "set" | "del">;
  readonly now: () => number;
  readonly watching: Omit<WatchStates, "listen">;
  /** True if the list of devices contains controllers, and names the owners. */
  readonly namesControllers: () => boolean;
  /** Called when the sums may have changed. */
  readonly onSums: () => void;
  /** Called when an account's owner reports a device from now on. */
  readonly onOwned: (key: string) => void;
  /** Called when a device is without an owner's report from now on, with its last state if that is known. */
  readonly onUnowned: (key: string, shown?: ShownPresence) => void;
  /** Called when a device is gone from all sources. */
  readonly onGone: (key: string) => void;
}

/** Most devices that are shown. Further devices are left out. */
export const FLEET_DEVICES = 50_000;

/** The state of a device as its present source knows it. */
type Status = Pick<FleetDeviceValue, "quality" | "flip" | "battery" | "rssi" | "fwversion" | "heardAt"> & {
  link: DeviceLink | null;
  at: string | null;
};

interface Device {
  listed: ListedDevice | undefined;
  reported: { readonly account: string; readonly report: DeviceReport } | undefined;
  /** True while the owner's report counts. Before the owner has a reading the list may know more. */
  isOwned: boolean;
  status: Status;
  /** The account in whose sums it is counted. */
  countedIn: string | null;
}

interface Reported {
  node: string;
  readonly keys: Set<string>;
  alarms: AccountReport["alarms"];
  /** Undefined: reported by an earlier version. */
  water: AccountReport["water"];
  commands: Set<string>;
}

/** The part of an account in the sums. */
interface Counted {
  readonly water: WaterReport | null;
  readonly isUnwatched: boolean;
  /** It has valves whose water is not known, and no reason for that is known. */
  readonly isOpen: boolean;
}

type Owner = Pick<FleetAccountValue, "username" | "nickname" | "phone" | "farmAddress">;

const UNNAMED: Owner = { username: null, nickname: null, phone: null, farmAddress: null };

const UNKNOWN: Status = {
  quality: null,
  link: null,
  flip: null,
  battery: null,
  rssi: null,
  fwversion: null,
  heardAt: null,
  at: null,
};

/**
 * Add the flip that a source knows to a device's status. A flip to offline that a known contact disproves is
 * dropped (FLIP-1).
 */
function noteFlip(status: Status, flip: FleetFlip | null): void {
  const { heardAt } = status;
  const contact = heardAt === null ? null : Date.parse(heardAt);
  const possible = [status.flip, flip].map((one) =>
    one !== null && contact !== null && !isPossibleFlip(one, contact) ? null : one,
  );
  status.flip = lastFlip(possible[0] ?? null, possible[1] ?? null);
}

/** Return the time of the last flip only, so that the first viewer and the second see the same. */
const sinceOf = ({ quality, flip }: Status): string | null =>
  flip !== null && quality === (flip.online ? "fresh" : "offline") ? flip.at : null;

/** Apply a last report unless a newer one is known. Return true if it is applied. */
function noteLastSeen(
  device: Device,
  { heardAt, measuredAt = heardAt, ...values }: LastSeen,
  orEqual = false,
): boolean {
  const known = device.status.heardAt === null ? Number.NEGATIVE_INFINITY : Date.parse(device.status.heardAt);
  if (heardAt < known || (heardAt === known && !orEqual)) return false;
  const contact = new Date(heardAt).toISOString();
  const at = olderMeasurement(new Date(measuredAt).toISOString(), contact);
  Object.assign(device.status, values, { heardAt: contact, at });
  noteFlip(device.status, null);
  return true;
}

/** All devices of the fleet, reported by their accounts' owners, or else by the farm API's list. */
export class FleetIndex {
  readonly #deps: FleetIndexDeps;
  readonly #alarms;
  readonly #counted = new Map<string, Counted>();
  readonly #devices = new Map<string, Device>();
  readonly #accounts = new Map<string, Reported>();
  /** Owners by account, as the list of devices names them. */
  readonly #owners = new Map<string, Owner>();
  /** Keys of devices by account. */
  readonly #members = new Map<string, Set<string>>();
  readonly #serials = new Map<string, string>();
  /** Accounts whose sums must be computed again. */
  readonly #uncounted = new Set<string>();

  constructor(deps: FleetIndexDeps) {
    this.#deps = deps;
    const { writer, now } = this.#deps;
    this.#alarms = new FleetAlarms(writer, now);
  }

  /** Continue from the values of the previous owner. @param stream all of its values */
  resume(values: ReadonlyMap<string, FleetDeviceValue>, stream: ReadonlyMap<string, StateValue>): void {
    this.#alarms.resume(stream);
    for (const [key, value] of values) {
      const device = this.#deviceOf(key);
      if (!device) return;
      const { quality, link = null, since: _, flip, battery, rssi, fwversion, heardAt, at, ...named } = value;
      device.listed = { key, ...named, lastSeen: null };
      device.status = { quality, link, flip, battery, rssi, fwversion, heardAt, at: at ?? null };
      this.#serials.set(String(named.serial), key);
      if (named.account !== null) {
        if (named.username !== null) {
          this.#owners.set(String(named.account), { ...UNNAMED, username: named.username });
        }
        this.#countIn(key, device, String(named.account));
      }
      this.#leaveToList(key, device);
    }
    this.#settle();
  }

  /** Apply rows of the farm API's list, one page at a time. Return the accounts with a change. */
  list(rows: readonly ListedDevice[]): Set<string> {
    const changed = new Set<string>();
    for (const row of rows) {
      const device = this.#deviceOf(row.key);
      if (!device) break;
      const before = device.listed;
      this.#noteOwner(row);
      if (before === undefined || !isSameDevice(before, row)) {
        for (const account of [before?.account, row.account]) {
          if (account !== null && account !== undefined) changed.add(String(account));
        }
      }
      this.#applyRow(device, row);
      device.listed = row;
      this.#serials.set(String(row.serial), row.key);
      this.#show(row.key, device);
    }
    this.#settle();
    return changed;
  }

  /** Remove the devices that a complete list no longer contains. Return their accounts. */
  listed(keys: ReadonlySet<string>): Set<string> {
    const changed = new Set<string>();
    for (const [key, device] of [...this.#devices]) {
      if (keys.has(key) || !device.listed) continue;
      if (device.listed.account !== null) changed.add(String(device.listed.account));
      this.#serials.delete(String(device.listed.serial));
      device.listed = undefined;
      this.#show(key, device);
    }
    this.#settle();
    return changed;
  }

  /** Apply the report of an account's owner on a node. */
  applyReport(
    node: string,
    { account, begins, devices: reports, gone, alarms: active, urgent, water, commands }: AccountReport,
  ): void {
    const reported = this.#accounts.get(account) ?? {
      ...{ node, alarms: active, water },
      keys: new Set<string>(),
      commands: new Set<string>(),
    };
    reported.node = node;
    this.#accounts.set(account, reported);
    const named = new Map(reports.map((report) => [fleetDeviceKey(report.kind, report.id), report]));
    const over = begins ? [...reported.keys].filter((key) => !named.has(key)) : [];
    for (const key of [...over, ...gone]) if (reported.keys.delete(key)) this.#release(key);
    for (const [key, report] of named) {
      if (!this.#applyDevice(account, key, report)) break;
      reported.keys.add(key);
    }
    if (active) reported.alarms = active;
    if (water !== undefined) reported.water = water;
    if (urgent) this.#applyAlarms(account, urgent);
    if (commands) this.#showCommands(account, reported, commands);
    this.#uncounted.add(account);
    this.#settle();
  }

  /** Return an account to the list after its owner stopped watching it. */
  releaseAccount(node: string, account: string): void {
    if (this.#accounts.get(account)?.node !== node) return;
    this.#forgetAccount(account);
    this.#settle();
  }

  /** Release all accounts of a node that no longer reports. */
  releaseNode(node: string): void {
    for (const [account, reported] of [...this.#accounts])
      if (reported.node === node) this.#forgetAccount(account);
    this.#settle();
  }

  /** Update the last report of a device without an owner's report. */
  recordLastSeen(key: string, lastSeen: LastSeen): void {
    const device = this.#unowned(key);
    if (!device || !noteLastSeen(device, lastSeen)) return;
    this.#show(key, device);
    this.#settle();
  }

  /** Update the connection of a device without an owner's report. */
  recordLink(key: string, link: DeviceLink): void {
    const device = this.#unowned(key);
    if (!device || device.status.link === link) return;
    device.status.link = link;
    this.#show(key, device);
    this.#settle();
  }

  /** Update the quality and flip of a device without an owner's report. */
  recordQuality(key: string, quality: Quality | null, flip: FleetFlip | null): void {
    const device = this.#unowned(key);
    if (!device) return;
    device.status.quality = quality;
    noteFlip(device.status, flip);
    this.#show(key, device);
    this.#settle();
  }

  /** Return the devices without an owner's report. */
  unownedKeys(): string[] {
    return [...this.#devices].filter(([, { isOwned }]) => !isOwned).map(([key]) => key);
  }

  isOwned(key: string): boolean {
    return this.#devices.get(key)?.isOwned ?? false;
  }

  has(key: string): boolean {
    return this.#devices.has(key);
  }

  keyOfSerial(serial: string | number): string | undefined {
    return this.#serials.get(String(serial));
  }

  /** Note that the relay now watches an account, or no longer, or for another reason. */
  watchChanged(account: string): void {
    if (!this.#members.has(account)) return;
    this.#uncounted.add(account);
    this.#settle();
  }

  /** Sums over all accounts (WATCH-3). */
  get sums(): FleetSums {
    const water = { openValves: 0, openBeyondEnd: 0, unknownValves: 0 };
    let unwatched = 0;
    let isOpen = !this.#deps.namesControllers();
    for (const one of this.#counted.values()) {
      water.openValves += one.water?.open ?? 0;
      water.openBeyondEnd += one.water?.beyondEnd ?? 0;
      water.unknownValves += one.water?.unknown ?? 0;
      if (one.isUnwatched) unwatched += 1;
      if (one.isOpen) isOpen = true;
    }
    return { ...this.#alarms.totals, ...water, unwatched: isOpen ? null : unwatched };
  }

  /** Return the nodes that have reported an account. */
  nodes(): Set<string> {
    return new Set([...this.#accounts.values()].map(({ node }) => node));
  }

  /** Remove commands and alarms that are too old to show. */
  prune(): void {
    const { writer } = this.#deps;
    this.#alarms.prune();
    for (const { commands } of this.#accounts.values()) {
      for (const id of commands) {
        const at = writer.get(fleetCommandKey(id))?.at;
        if (typeof at !== "string" || this.#deps.now() - Date.parse(at) <= UNCONFIRMED_MS) continue;
        commands.delete(id);
        writer.del(fleetCommandKey(id));
      }
    }
  }

  get size(): number {
    return this.#devices.size;
  }

  #deviceOf(key: string): Device | undefined {
    const known = this.#devices.get(key);
    if (known || this.#devices.size >= FLEET_DEVICES) return known;
    const fresh = {
      ...{ listed: undefined, reported: undefined, isOwned: false, countedIn: null },
      status: { ...UNKNOWN },
    };
    this.#devices.set(key, fresh);
    return fresh;
  }

  /** Return a device that the relay judges itself, because no owner reports it. */
  #unowned(key: string): Device | undefined {
    const device = this.#devices.get(key);
    return device?.isOwned ? undefined : device;
  }

  #countIn(key: string, device: Device, account: string | null): void {
    if (account !== null) this.#uncounted.add(account);
    const before = device.countedIn;
    if (before === account) return;
    if (before !== null) {
      this.#members.get(before)?.delete(key);
      this.#uncounted.add(before);
    }
    device.countedIn = account;
    if (account !== null)
      this.#members.set(account, (this.#members.get(account) ?? new Set<string>()).add(key));
  }

  #show(key: string, device: Device): void {
    const { writer } = this.#deps;
    const { listed, reported, status } = device;
    const named = reported?.report ?? listed;
    if (!named) {
      this.#devices.delete(key);
      this.#countIn(key, device, null);
      writer.del(key);
      this.#deps.onGone(key);
      return;
    }
    const account = listed?.account ?? reported?.account ?? null;
    const { id, kind, name, deviceType, serial } = named;
    const value: FleetDeviceValue = {
      ...{ id, kind, account, name, deviceType, serial },
      username:
        listed?.username ?? (account === null ? null : (this.#owners.get(String(account))?.username ?? null)),
      farm: listed?.farm ?? null,
      latitude: named.latitude ?? listed?.latitude ?? null,
      longitude: named.longitude ?? listed?.longitude ?? null,
      ...status,
      since: sinceOf(status),
      alarm: account === null ? null : this.#alarms.worstOf(String(account), key),
    };
    writer.set(key, value);
    this.#countIn(key, device, account === null ? null : String(account));
  }

  #noteOwner({ account, username, nickname, phone, farmAddress }: ListedDevice): void {
    if (account === null || username === null) return;
    const known = this.#owners.get(String(account));
    const owner: Owner = {
      username,
      nickname: nickname?.trim() || null,
      phone: phone?.trim() || null,
      farmAddress: farmAddress?.trim() || null,
    };
    const isSame =
      known?.username === username &&
      known.nickname === owner.nickname &&
      known.phone === owner.phone &&
      known.farmAddress === owner.farmAddress;
    if (isSame) return;
    this.#owners.set(String(account), owner);
    if (known?.username !== username) this.#alarms.rename(String(account), username);
    this.#uncounted.add(String(account));
  }

  /** Return the number of an account's devices with valves; null where they are not known. */
  #valveDevicesOf(account: string, keys: ReadonlySet<string>): number | null {
    const named = this.#deps.watching.valveDevicesOf(account);
    if (named === null && !this.#accounts.has(account) && !this.#deps.namesControllers()) return null;
    let found = 0;
    for (const key of keys) {
      const { reported, listed } = this.#devices.get(key) ?? {};
      const device = reported?.report ?? listed;
      if (device?.kind === "controller" || device?.deviceType === "COT") found += 1;
    }
    return Math.max(found, named ?? 0);
  }

  /** Return the water of an account, or why it is not known (WATCH-2). */
  #waterOf(
    account: string,
    valveDevices: number | null,
  ):
    | { water: { unknown: number; open: number; beyondEnd: number } | null; unwatched: null }
    | {
        water: null;
        unwatched: {
          reason:
            | "limit"
            | "refused"
            | "starting"
            | "no-session"
            | "password-changed"
            | "stopped-by-owner"
            | "secret-lost"
            | "disabled"
            | "unreadable";
        } | null;
      } {
    const { watching } = this.#deps;
    const reported = this.#accounts.get(account);
    const water = reported?.water ?? null;
    const isWatched = reported !== undefined && reported.water !== null;
    if (isWatched || valveDevices === null || valveDevices === 0) {
      // An owner of an earlier version watches the account, and reports no water.
      const isOpen = reported !== undefined && water === null && valveDevices !== 0;
      this.#counted.set(account, { water, isUnwatched: false, isOpen });
      return { water, unwatched: null };
    }
    watching.noteUnreported(account);
    const reason = watching.reasonOf(account) ?? null;
    this.#counted.set(account, { water: null, isUnwatched: reason !== null, isOpen: reason === null });
    return { water: null, unwatched: reason === null ? null : { reason } };
  }

  /** Write an account's sums. */
  #count(account: string): void {
    const { writer } = this.#deps;
    const keys = this.#members.get(account);
    const reported = this.#accounts.get(account);
    if (!keys || keys.size === 0) {
      this.#members.delete(account);
      this.#counted.delete(account);
      // The list names the owners of all devices: an account without any is gone.
      if (!reported && this.#deps.namesControllers()) this.#alarms.forget(account);
      writer.del(fleetAccountKey(account));
      return;
    }
    const sum = { late: 0, lost: 0, offline: 0, unknown: 0, never: 0 };
    let worst: Quality | null = null;
    let id: FleetAccountValue["id"] = account;
    for (const key of keys) {
      const device = this.#devices.get(key);
      const { quality, link } = device?.status ?? UNKNOWN;
      id = device?.listed?.account ?? id;
      if (quality === null) {
        sum.never += 1;
        continue;
      }
      if (link === "lost") sum.lost += 1;
      if (quality !== "fresh") sum[quality] += 1;
      worst = worst === null ? quality : worseQuality(worst, quality);
    }
    const controllers = this.#valveDevicesOf(account, keys);
    const { water, unwatched } = this.#waterOf(account, controllers);
    const value: FleetAccountValue = {
      id,
      ...(this.#owners.get(account) ?? UNNAMED),
      quality: worst,
      devices: keys.size,
      ...sum,
      alarms: reported?.alarms?.count ?? null,
      worstAlarm: reported?.alarms?.worst ?? null,
      watched: reported !== undefined,
      controllers,
      openValves: water?.open ?? null,
      openBeyondEnd: water?.beyondEnd ?? null,
      unknownValves: water?.unknown ?? null,
      unwatched,
    };
    writer.set(fleetAccountKey(account), { ...value });
  }

  #settle(): void {
    if (this.#uncounted.size === 0) return;
    for (const account of this.#uncounted) this.#count(account);
    this.#uncounted.clear();
    this.#deps.onSums();
  }

  #leaveToList(key: string, { status: { quality, heardAt, at } }: Device): void {
    if (heardAt === null) this.#deps.onUnowned(key);
    else {
      this.#deps.onUnowned(key, {
        offline: quality === "offline",
        heardAt: Date.parse(heardAt),
        measuredAt: at === null ? null : Date.parse(at),
      });
    }
  }

  /** End the owner's reports about a device: the list continues from the last one. */
  #release(key: string): void {
    const device = this.#devices.get(key);
    if (!device?.reported) return;
    const wasOwned = device.isOwned;
    device.reported = undefined;
    device.isOwned = false;
    if (device.listed && wasOwned) this.#leaveToList(key, device);
    this.#show(key, device);
  }

  #forgetAccount(account: string): void {
    const reported = this.#accounts.get(account);
    if (!reported) return;
    this.#accounts.delete(account);
    this.#alarms.hold(account);
    for (const id of reported.commands) this.#deps.writer.del(fleetCommandKey(id));
    for (const key of reported.keys) this.#release(key);
    this.#uncounted.add(account);
  }

  #showCommands(account: string, reported: Reported, commands: NonNullable<AccountReport["commands"]>): void {
    const { writer } = this.#deps;
    const shown = new Set(commands.map(({ id }) => id));
    for (const id of reported.commands) if (!shown.has(id)) writer.del(fleetCommandKey(id));
    const username = this.#owners.get(account)?.username ?? null;
    for (const command of commands) {
      writer.set(fleetCommandKey(command.id), { ...command, account, username });
    }
    reported.commands = shown;
  }

  /** Apply an owner's report about one of its devices. Return false beyond the limit of devices. */
  #applyDevice(account: string, key: string, report: DeviceReport): boolean {
    const device = this.#deviceOf(key);
    if (!device) return false;
    const { quality, link = null, flip, battery, rssi, fwversion, heardAt, at = null } = report;
    const wasOwned = device.isOwned;
    device.reported = { account, report };
    device.isOwned = quality !== null || device.status.heardAt === null;
    if (device.isOwned) {
      const before = device.status.flip;
      device.status = { quality, link, flip, battery, rssi, fwversion, heardAt, at };
      noteFlip(device.status, before);
    }
    if (device.isOwned && !wasOwned) this.#deps.onOwned(key);
    else if (!device.isOwned && wasOwned) this.#leaveToList(key, device);
    this.#show(key, device);
    return true;
  }

  /** Apply a row of the list to the state of its device. */
  #applyRow(device: Device, { key, lastSeen, flip, link }: ListedDevice): void {
    const { status } = device;
    if (device.isOwned && (status.quality !== null || !lastSeen)) {
      if (flip !== undefined) noteFlip(status, flip);
      return;
    }
    const wasOwned = device.isOwned;
    device.isOwned = false;
    if (lastSeen) noteLastSeen(device, lastSeen, true);
    // The API records a flip later than the relay sees it, an hour later after its own start.
    if (flip !== undefined) noteFlip(status, flip);
    if (link !== undefined) status.link = link;
    if (wasOwned || device.listed === undefined) this.#deps.onUnowned(key);
  }

  /** Apply the alarms that an owner reports about its account. */
  #applyAlarms(account: string, urgent: NonNullable<AccountReport["urgent"]>): void {
    const id = String(account);
    const shown = this.#deps.writer.get(fleetAccountKey(id))?.id;
    const owner = {
      id: typeof shown === "number" ? shown : id,
      username: this.#owners.get(id)?.username ?? null,
    };
    for (const key of this.#alarms.report(id, urgent, alarmOwner(id, owner))) {
      const device = this.#devices.get(key);
      if (device) this.#show(key, device);
    }
  }
}

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

/** All devices of the fleet, reported by their accounts' owners, or else by the farm API's list. */
export interface FleetIndex {
  /** Continue from the values of the previous owner. @param stream all of its values */
  resume(values: ReadonlyMap<string, FleetDeviceValue>, stream: ReadonlyMap<string, StateValue>): void;
  /** Apply rows of the farm API's list, one page at a time. Return the accounts with a change. */
  list(rows: readonly ListedDevice[]): Set<string>;
  /** Remove the devices that a complete list no longer contains. Return their accounts. */
  listed(keys: ReadonlySet<string>): Set<string>;
  /** Apply the report of an account's owner on a node. */
  applyReport(node: string, report: AccountReport): void;
  /** Return an account to the list after its owner stopped watching it. */
  releaseAccount(node: string, account: string): void;
  /** Release all accounts of a node that no longer reports. */
  releaseNode(node: string): void;
  /** Update the last report of a device without an owner's report. */
  recordLastSeen(key: string, lastSeen: LastSeen): void;
  /** Update the connection of a device without an owner's report. */
  recordLink(key: string, link: DeviceLink): void;
  /** Update the quality and flip of a device without an owner's report. */
  recordQuality(key: string, quality: Quality | null, flip: FleetFlip | null): void;
  /** Return the devices without an owner's report. */
  unownedKeys(): string[];
  isOwned(key: string): boolean;
  has(key: string): boolean;
  keyOfSerial(serial: string | number): string | undefined;
  /** Return the nodes that have reported an account. */
  nodes(): Set<string>;
  /** Note that the relay now watches an account, or no longer, or for another reason. */
  watchChanged(account: string): void;
  /** Sums over all accounts (WATCH-3). */
  readonly sums: FleetSums;
  /** Remove commands and alarms that are too old to show. */
  prune(): void;
  readonly size: number;
}

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

export function createFleetIndex(deps: FleetIndexDeps): FleetIndex {
  const { writer, now, watching } = deps;
  const alarms = new FleetAlarms(writer, now);
  const counted = new Map<string, Counted>();
  const devices = new Map<string, Device>();
  const accounts = new Map<string, Reported>();
  /** Owners by account, as the list of devices names them. */
  const owners = new Map<string, Owner>();
  /** Keys of devices by account. */
  const members = new Map<string, Set<string>>();
  const serials = new Map<string, string>();
  /** Accounts whose sums must be computed again. */
  const uncounted = new Set<string>();

  const deviceOf = (key: string): Device | undefined => {
    const known = devices.get(key);
    if (known || devices.size >= FLEET_DEVICES) return known;
    const fresh = {
      ...{ listed: undefined, reported: undefined, isOwned: false, countedIn: null },
      status: { ...UNKNOWN },
    };
    devices.set(key, fresh);
    return fresh;
  };
  /** Return a device that the relay judges itself, because no owner reports it. */
  const unowned = (key: string): Device | undefined => {
    const device = devices.get(key);
    return device?.isOwned ? undefined : device;
  };
  const countIn = (key: string, device: Device, account: string | null): void => {
    if (account !== null) uncounted.add(account);
    const before = device.countedIn;
    if (before === account) return;
    if (before !== null) {
      members.get(before)?.delete(key);
      uncounted.add(before);
    }
    device.countedIn = account;
    if (account !== null) members.set(account, (members.get(account) ?? new Set<string>()).add(key));
  };
  const show = (key: string, device: Device): void => {
    const { listed, reported, status } = device;
    const named = reported?.report ?? listed;
    if (!named) {
      devices.delete(key);
      countIn(key, device, null);
      writer.del(key);
      deps.onGone(key);
      return;
    }
    const account = listed?.account ?? reported?.account ?? null;
    const { id, kind, name, deviceType, serial } = named;
    const value: FleetDeviceValue = {
      ...{ id, kind, account, name, deviceType, serial },
      username:
        listed?.username ?? (account === null ? null : (owners.get(String(account))?.username ?? null)),
      farm: listed?.farm ?? null,
      latitude: named.latitude ?? listed?.latitude ?? null,
      longitude: named.longitude ?? listed?.longitude ?? null,
      ...status,
      since: sinceOf(status),
      alarm: account === null ? null : alarms.worstOf(String(account), key),
    };
    writer.set(key, value);
    countIn(key, device, account === null ? null : String(account));
  };
  const noteOwner = ({ account, username, nickname, phone, farmAddress }: ListedDevice): void => {
    if (account === null || username === null) return;
    const known = owners.get(String(account));
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
    owners.set(String(account), owner);
    if (known?.username !== username) alarms.rename(String(account), username);
    uncounted.add(String(account));
  };
  /** Return the number of an account's devices with valves; null where they are not known. */
  const valveDevicesOf = (account: string, keys: ReadonlySet<string>): number | null => {
    const named = watching.valveDevicesOf(account);
    if (named === null && !accounts.has(account) && !deps.namesControllers()) return null;
    let found = 0;
    for (const key of keys) {
      const { reported, listed } = devices.get(key) ?? {};
      const device = reported?.report ?? listed;
      if (device?.kind === "controller" || device?.deviceType === "COT") found += 1;
    }
    return Math.max(found, named ?? 0);
  };
  /** Return the water of an account, or why it is not known (WATCH-2). */
  const waterOf = (account: string, valveDevices: number | null) => {
    const reported = accounts.get(account);
    const water = reported?.water ?? null;
    const isWatched = reported !== undefined && reported.water !== null;
    if (isWatched || valveDevices === null || valveDevices === 0) {
      // An owner of an earlier version watches the account, and reports no water.
      const isOpen = reported !== undefined && water === null && valveDevices !== 0;
      counted.set(account, { water, isUnwatched: false, isOpen });
      return { water, unwatched: null };
    }
    watching.noteUnreported(account);
    const reason = watching.reasonOf(account) ?? null;
    counted.set(account, { water: null, isUnwatched: reason !== null, isOpen: reason === null });
    return { water: null, unwatched: reason === null ? null : { reason } };
  };
  /** Write an account's sums. */
  const count = (account: string): void => {
    const keys = members.get(account);
    const reported = accounts.get(account);
    if (!keys || keys.size === 0) {
      members.delete(account);
      counted.delete(account);
      // The list names the owners of all devices: an account without any is gone.
      if (!reported && deps.namesControllers()) alarms.forget(account);
      writer.del(fleetAccountKey(account));
      return;
    }
    const sum = { late: 0, lost: 0, offline: 0, unknown: 0, never: 0 };
    let worst: Quality | null = null;
    let id: FleetAccountValue["id"] = account;
    for (const key of keys) {
      const device = devices.get(key);
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
    const controllers = valveDevicesOf(account, keys);
    const { water, unwatched } = waterOf(account, controllers);
    const value: FleetAccountValue = {
      id,
      ...(owners.get(account) ?? UNNAMED),
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
  };
  const settle = (): void => {
    if (uncounted.size === 0) return;
    for (const account of uncounted) count(account);
    uncounted.clear();
    deps.onSums();
  };
  const leaveToList = (key: string, { status: { quality, heardAt, at } }: Device): void => {
    if (heardAt === null) deps.onUnowned(key);
    else {
      deps.onUnowned(key, {
        offline: quality === "offline",
        heardAt: Date.parse(heardAt),
        measuredAt: at === null ? null : Date.parse(at),
      });
    }
  };
  /** End the owner's reports about a device: the list continues from the last one. */
  const release = (key: string): void => {
    const device = devices.get(key);
    if (!device?.reported) return;
    const wasOwned = device.isOwned;
    device.reported = undefined;
    device.isOwned = false;
    if (device.listed && wasOwned) leaveToList(key, device);
    show(key, device);
  };
  const forgetAccount = (account: string): void => {
    const reported = accounts.get(account);
    if (!reported) return;
    accounts.delete(account);
    alarms.hold(account);
    for (const id of reported.commands) writer.del(fleetCommandKey(id));
    for (const key of reported.keys) release(key);
    uncounted.add(account);
  };
  const showCommands = (
    account: string,
    reported: Reported,
    commands: NonNullable<AccountReport["commands"]>,
  ): void => {
    const shown = new Set(commands.map(({ id }) => id));
    for (const id of reported.commands) if (!shown.has(id)) writer.del(fleetCommandKey(id));
    const username = owners.get(account)?.username ?? null;
    for (const command of commands) {
      writer.set(fleetCommandKey(command.id), { ...command, account, username });
    }
    reported.commands = shown;
  };
  /** Apply an owner's report about one of its devices. Return false beyond the limit of devices. */
  const applyDevice = (account: string, key: string, report: DeviceReport): boolean => {
    const device = deviceOf(key);
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
    if (device.isOwned && !wasOwned) deps.onOwned(key);
    else if (!device.isOwned && wasOwned) leaveToList(key, device);
    show(key, device);
    return true;
  };
  /** Apply a row of the list to the state of its device. */
  const applyRow = (device: Device, { key, lastSeen, flip, link }: ListedDevice): void => {
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
    if (wasOwned || device.listed === undefined) deps.onUnowned(key);
  };

  /** Apply the alarms that an owner reports about its account. */
  const applyAlarms = (account: string, urgent: NonNullable<AccountReport["urgent"]>): void => {
    const id = String(account);
    const shown = writer.get(fleetAccountKey(id))?.id;
    const owner = { id: typeof shown === "number" ? shown : id, username: owners.get(id)?.username ?? null };
    for (const key of alarms.report(id, urgent, alarmOwner(id, owner))) {
      const device = devices.get(key);
      if (device) show(key, device);
    }
  };

  return {
    resume(values, stream) {
      alarms.resume(stream);
      for (const [key, value] of values) {
        const device = deviceOf(key);
        if (!device) return;
        const {
          quality,
          link = null,
          since: _,
          flip,
          battery,
          rssi,
          fwversion,
          heardAt,
          at,
          ...named
        } = value;
        device.listed = { key, ...named, lastSeen: null };
        device.status = { quality, link, flip, battery, rssi, fwversion, heardAt, at: at ?? null };
        serials.set(String(named.serial), key);
        if (named.account !== null) {
          if (named.username !== null) {
            owners.set(String(named.account), { ...UNNAMED, username: named.username });
          }
          countIn(key, device, String(named.account));
        }
        leaveToList(key, device);
      }
      settle();
    },
    list(rows) {
      const changed = new Set<string>();
      for (const row of rows) {
        const device = deviceOf(row.key);
        if (!device) break;
        const before = device.listed;
        noteOwner(row);
        if (before === undefined || !isSameDevice(before, row)) {
          for (const account of [before?.account, row.account]) {
            if (account !== null && account !== undefined) changed.add(String(account));
          }
        }
        applyRow(device, row);
        device.listed = row;
        serials.set(String(row.serial), row.key);
        show(row.key, device);
      }
      settle();
      return changed;
    },
    listed(keys) {
      const changed = new Set<string>();
      for (const [key, device] of [...devices]) {
        if (keys.has(key) || !device.listed) continue;
        if (device.listed.account !== null) changed.add(String(device.listed.account));
        serials.delete(String(device.listed.serial));
        device.listed = undefined;
        show(key, device);
      }
      settle();
      return changed;
    },
    applyReport(node, { account, begins, devices: reports, gone, alarms: active, urgent, water, commands }) {
      const reported = accounts.get(account) ?? {
        ...{ node, alarms: active, water },
        keys: new Set<string>(),
        commands: new Set<string>(),
      };
      reported.node = node;
      accounts.set(account, reported);
      const named = new Map(reports.map((report) => [fleetDeviceKey(report.kind, report.id), report]));
      const over = begins ? [...reported.keys].filter((key) => !named.has(key)) : [];
      for (const key of [...over, ...gone]) if (reported.keys.delete(key)) release(key);
      for (const [key, report] of named) {
        if (!applyDevice(account, key, report)) break;
        reported.keys.add(key);
      }
      if (active) reported.alarms = active;
      if (water !== undefined) reported.water = water;
      if (urgent) applyAlarms(account, urgent);
      if (commands) showCommands(account, reported, commands);
      uncounted.add(account);
      settle();
    },
    releaseAccount(node, account) {
      if (accounts.get(account)?.node !== node) return;
      forgetAccount(account);
      settle();
    },
    releaseNode(node) {
      for (const [account, reported] of [...accounts]) if (reported.node === node) forgetAccount(account);
      settle();
    },
    recordLastSeen(key, lastSeen) {
      const device = unowned(key);
      if (!device || !noteLastSeen(device, lastSeen)) return;
      show(key, device);
      settle();
    },
    recordLink(key, link) {
      const device = unowned(key);
      if (!device || device.status.link === link) return;
      device.status.link = link;
      show(key, device);
      settle();
    },
    recordQuality(key, quality, flip) {
      const device = unowned(key);
      if (!device) return;
      device.status.quality = quality;
      noteFlip(device.status, flip);
      show(key, device);
      settle();
    },
    unownedKeys: () => [...devices].filter(([, { isOwned }]) => !isOwned).map(([key]) => key),
    isOwned: (key) => devices.get(key)?.isOwned ?? false,
    has: (key) => devices.has(key),
    keyOfSerial: (serial) => serials.get(String(serial)),
    watchChanged(account) {
      if (!members.has(account)) return;
      uncounted.add(account);
      settle();
    },
    get sums() {
      const water = { openValves: 0, openBeyondEnd: 0, unknownValves: 0 };
      let unwatched = 0;
      let isOpen = !deps.namesControllers();
      for (const one of counted.values()) {
        water.openValves += one.water?.open ?? 0;
        water.openBeyondEnd += one.water?.beyondEnd ?? 0;
        water.unknownValves += one.water?.unknown ?? 0;
        if (one.isUnwatched) unwatched += 1;
        if (one.isOpen) isOpen = true;
      }
      return { ...alarms.totals, ...water, unwatched: isOpen ? null : unwatched };
    },
    nodes: () => new Set([...accounts.values()].map(({ node }) => node)),
    prune() {
      alarms.prune();
      for (const { commands } of accounts.values()) {
        for (const id of commands) {
          const at = writer.get(fleetCommandKey(id))?.at;
          if (typeof at !== "string" || now() - Date.parse(at) <= UNCONFIRMED_MS) continue;
          commands.delete(id);
          writer.del(fleetCommandKey(id));
        }
      }
    },
    get size() {
      return devices.size;
    },
  };
}

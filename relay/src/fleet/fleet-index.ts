// Long because a device's two sources, its owner and the list, meet in one table.
import type { FleetAccountValue, FleetDeviceValue, FleetFlip } from "@mulkko/shared/live/fleet";
import { fleetAccountKey, fleetCommandKey, fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { type DeviceLink, type Quality, worseQuality } from "@mulkko/shared/rules/quality";
import type { AccountWriter } from "../account/writer.ts";
import type { AccountReport, DeviceReport } from "./account-report.ts";
import { UNCONFIRMED_MS } from "./account-summary.ts";
import { isSameDevice, type LastSeen, type ListedDevice } from "./listed-device.ts";

/** All devices of the fleet, reported by their accounts' owners, or else by the farm API's list. */
export interface FleetIndex {
  /** Continue from the values of the previous owner. */
  resume(values: ReadonlyMap<string, FleetDeviceValue>): void;
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
  device(key: string): ListedDevice | undefined;
  keyOfSerial(serial: string | number): string | undefined;
  /** Return the nodes that have reported an account. */
  nodes(): Set<string>;
  /** Remove commands that are too old to show. */
  prune(): void;
  readonly size: number;
}

export interface FleetIndexDeps {
  readonly writer: Pick<AccountWriter, "get" | "keys" | "set" | "del">;
  readonly now: () => number;
  /** Called when a device's source changes between its owner and the list, with its last known state. */
  readonly onSourceChange: (
    key: string,
    owned: boolean,
    shown: { offline: boolean; heardAt: number | null },
  ) => void;
  /** Called when a device is gone from all sources. */
  readonly onGone: (key: string) => void;
}

/** ms within which the farm API records a flip. Its record then replaces what the relay observed. */
const RECORDED_WITHIN_MS = 120_000;
/** Most devices that are shown. Further devices are left out. */
export const FLEET_DEVICES = 50_000;

interface Device {
  listed: ListedDevice | undefined;
  reported: { readonly account: string; readonly report: DeviceReport } | undefined;
  /** The quality evaluated here, for devices of the list. */
  quality: Quality | null;
  flip: FleetFlip | null;
  lastSeen: LastSeen | null;
  link: DeviceLink | null;
}

interface Reported {
  readonly node: string;
  readonly keys: Set<string>;
  alarms: AccountReport["alarms"];
  commands: Set<string>;
}

const iso = (at: number): string => new Date(at).toISOString();
/** Return the owner's report once the owner has a reading. Until then the list knows more. */
const reportOf = ({ reported, lastSeen }: Device): DeviceReport | undefined =>
  reported && (reported.report.quality !== null || lastSeen === null) ? reported.report : undefined;
const isSpokenFor = (device: Device): boolean => reportOf(device) !== undefined;
const newer = (a: FleetFlip | null, b: FleetFlip | null): FleetFlip | null =>
  a === null || (b !== null && b.at > a.at) ? b : a;

export function createFleetIndex(deps: FleetIndexDeps): FleetIndex {
  const { writer, now } = deps;
  const devices = new Map<string, Device>();
  const accounts = new Map<string, Reported>();
  const names = new Map<string, string>();
  /** Keys of devices by account. */
  const members = new Map<string, Set<string>>();
  const placeOf = new Map<string, string>();
  const serials = new Map<string, string>();
  /** Accounts whose sums must be computed again. */
  const uncounted = new Set<string>();

  const deviceOf = (key: string): Device | undefined => {
    const known = devices.get(key);
    if (known || devices.size >= FLEET_DEVICES) return known;
    const fresh: Device = {
      listed: undefined,
      reported: undefined,
      quality: null,
      flip: null,
      lastSeen: null,
      link: null,
    };
    devices.set(key, fresh);
    return fresh;
  };
  const place = (key: string, account: string | null): void => {
    const before = placeOf.get(key);
    if (before === (account ?? undefined)) return;
    if (before !== undefined) {
      members.get(before)?.delete(key);
      placeOf.delete(key);
      uncounted.add(before);
    }
    if (account === null) return;
    placeOf.set(key, account);
    const there = members.get(account) ?? new Set();
    members.set(account, there.add(key));
  };
  const shownOf = (device: Device): Omit<FleetDeviceValue, "since"> | null => {
    const { listed, reported, quality, flip, lastSeen, link } = device;
    const report = reportOf(device);
    const named = reported?.report ?? listed;
    if (!named) return null;
    const account = listed?.account ?? reported?.account ?? null;
    const fromList = {
      quality,
      link,
      flip,
      battery: lastSeen?.battery ?? null,
      rssi: lastSeen?.rssi ?? null,
      fwversion: lastSeen?.fwversion ?? null,
      heardAt: lastSeen === null ? null : iso(lastSeen.heardAt),
    };
    const { id, kind, name, deviceType, serial } = named;
    const from = report ?? fromList;
    return {
      ...{ id, kind, account, name, deviceType, serial },
      username: listed?.username ?? (account === null ? null : (names.get(String(account)) ?? null)),
      latitude: named.latitude ?? listed?.latitude ?? null,
      longitude: named.longitude ?? listed?.longitude ?? null,
      quality: from.quality,
      link: from.link ?? null,
      flip: newer(from.flip, flip),
      battery: from.battery,
      rssi: from.rssi,
      fwversion: from.fwversion,
      heardAt: from.heardAt,
    };
  };
  /** Return the time of the last flip only, so that the first viewer and the second see the same. */
  const sinceOf = ({ quality, flip }: Omit<FleetDeviceValue, "since">): string | null => {
    if (flip === null) return null;
    return quality === (flip.online ? "fresh" : "offline") ? flip.at : null;
  };
  const show = (key: string): void => {
    const device = devices.get(key);
    if (!device) return;
    const value = shownOf(device);
    if (value === null) {
      devices.delete(key);
      place(key, null);
      writer.del(key);
      deps.onGone(key);
      return;
    }
    writer.set(key, { ...value, since: sinceOf(value) });
    place(key, value.account === null ? null : String(value.account));
    if (value.account !== null) uncounted.add(String(value.account));
  };
  /** Write an account's sums. */
  const count = (account: string): void => {
    const keys = members.get(account);
    const reported = accounts.get(account);
    if (!keys || keys.size === 0) {
      members.delete(account);
      writer.del(fleetAccountKey(account));
      return;
    }
    const sum = { late: 0, lost: 0, offline: 0, unknown: 0, never: 0 };
    let worst: Quality | null = null;
    let id: FleetAccountValue["id"] = account;
    for (const key of keys) {
      const device = devices.get(key);
      const { quality, link } = (device && (reportOf(device) ?? device)) ?? { quality: null };
      id = device?.listed?.account ?? id;
      if (quality === null) {
        sum.never += 1;
        continue;
      }
      if (link === "lost") sum.lost += 1;
      if (quality !== "fresh") sum[quality] += 1;
      worst = worst === null ? quality : worseQuality(worst, quality);
    }
    const value: FleetAccountValue = {
      id,
      username: names.get(account) ?? null,
      quality: worst,
      devices: keys.size,
      ...sum,
      alarms: reported?.alarms?.count ?? null,
      worstAlarm: reported?.alarms?.worst ?? null,
      watched: reported !== undefined,
    };
    writer.set(fleetAccountKey(account), { ...value });
  };
  const settle = (): void => {
    for (const account of uncounted) count(account);
    uncounted.clear();
  };
  /** Copy the owner's last report, so that the list continues from it. */
  const remember = (device: Device): void => {
    const report = reportOf(device);
    if (!report) return;
    const { quality, link = null, heardAt, battery, rssi, fwversion, flip } = report;
    device.link = link;
    device.flip = newer(device.flip, flip);
    device.quality = quality;
    if (heardAt !== null) device.lastSeen = { heardAt: Date.parse(heardAt), battery, rssi, fwversion };
  };
  const leaveToList = (key: string, { quality, lastSeen }: Device): void =>
    deps.onSourceChange(key, false, { offline: quality === "offline", heardAt: lastSeen?.heardAt ?? null });
  const release = (key: string): void => {
    const device = devices.get(key);
    if (!device?.reported) return;
    const wasSpokenFor = isSpokenFor(device);
    remember(device);
    device.reported = undefined;
    if (device.listed && wasSpokenFor) leaveToList(key, device);
    show(key);
  };
  const forgetAccount = (account: string): void => {
    const reported = accounts.get(account);
    if (!reported) return;
    accounts.delete(account);
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
    for (const command of commands) {
      const username = names.get(account) ?? null;
      writer.set(fleetCommandKey(command.id), { ...command, account, username });
    }
    reported.commands = shown;
  };

  return {
    resume(values) {
      for (const [key, value] of values) {
        const device = deviceOf(key);
        if (!device) return;
        const { quality, link = null, since: _, flip, battery, rssi, fwversion, heardAt, ...named } = value;
        const lastSeen = heardAt === null ? null : { heardAt: Date.parse(heardAt), battery, rssi, fwversion };
        device.listed = { key, ...named, lastSeen };
        Object.assign(device, { quality, link, flip, lastSeen });
        serials.set(String(named.serial), key);
        if (named.account !== null) {
          if (named.username !== null) names.set(String(named.account), named.username);
          place(key, String(named.account));
        }
        deps.onSourceChange(key, false, {
          offline: quality === "offline",
          heardAt: lastSeen?.heardAt ?? null,
        });
      }
      for (const account of members.keys()) uncounted.add(account);
      settle();
    },
    list(rows) {
      const changed = new Set<string>();
      for (const row of rows) {
        const device = deviceOf(row.key);
        if (!device) break;
        const before = device.listed;
        if (row.account !== null && row.username !== null) names.set(String(row.account), row.username);
        if (before === undefined || !isSameDevice(before, row)) {
          for (const account of [before?.account, row.account]) {
            if (account !== null && account !== undefined) changed.add(String(account));
          }
        }
        device.listed = row;
        serials.set(String(row.serial), row.key);
        const wasSpokenFor = before === undefined || isSpokenFor(device);
        const { lastSeen } = row;
        if (lastSeen && (device.lastSeen === null || lastSeen.heardAt >= device.lastSeen.heardAt))
          device.lastSeen = lastSeen;
        // The API may not have recorded a recent flip yet.
        const isJustSeen = device.flip !== null && now() - Date.parse(device.flip.at) < RECORDED_WITHIN_MS;
        if (row.flip !== undefined && !isJustSeen) device.flip = row.flip;
        if (row.link !== undefined) device.link = row.link;
        if (wasSpokenFor && !isSpokenFor(device)) {
          deps.onSourceChange(row.key, false, { offline: device.quality === "offline", heardAt: null });
        }
        show(row.key);
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
        show(key);
      }
      settle();
      return changed;
    },
    applyReport(node, report) {
      const { account } = report;
      const before = accounts.get(account);
      const reported: Reported = {
        node,
        keys: before?.keys ?? new Set(),
        alarms: before?.alarms,
        commands: before?.commands ?? new Set(),
      };
      accounts.set(account, reported);
      if (report.begins) {
        const named = new Set(report.devices.map(({ kind, id }) => fleetDeviceKey(kind, id)));
        for (const key of [...reported.keys]) {
          if (named.has(key)) continue;
          reported.keys.delete(key);
          release(key);
        }
      }
      for (const device of report.devices) {
        const key = fleetDeviceKey(device.kind, device.id);
        const known = deviceOf(key);
        if (!known) break;
        const wasSpokenFor = isSpokenFor(known);
        remember(known);
        known.reported = { account, report: device };
        reported.keys.add(key);
        if (isSpokenFor(known)) {
          if (!wasSpokenFor) deps.onSourceChange(key, true, { offline: false, heardAt: null });
        } else if (wasSpokenFor) leaveToList(key, known);
        show(key);
      }
      for (const key of report.gone) {
        if (reported.keys.delete(key)) release(key);
      }
      if (report.alarms) reported.alarms = report.alarms;
      if (report.commands) showCommands(account, reported, report.commands);
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
      const device = devices.get(key);
      if (!device || isSpokenFor(device) || (device.lastSeen && lastSeen.heardAt <= device.lastSeen.heardAt))
        return;
      device.lastSeen = lastSeen;
      show(key);
      settle();
    },
    recordLink(key, link) {
      const device = devices.get(key);
      if (!device || isSpokenFor(device) || device.link === link) return;
      device.link = link;
      show(key);
      settle();
    },
    recordQuality(key, quality, flip) {
      const device = devices.get(key);
      if (!device || isSpokenFor(device)) return;
      device.quality = quality;
      device.flip = newer(device.flip, flip);
      show(key);
      settle();
    },
    unownedKeys: () => [...devices].filter(([, device]) => !isSpokenFor(device)).map(([key]) => key),
    isOwned(key) {
      const device = devices.get(key);
      return device !== undefined && isSpokenFor(device);
    },
    device: (key) => devices.get(key)?.listed,
    keyOfSerial: (serial) => serials.get(String(serial)),
    nodes: () => new Set([...accounts.values()].map(({ node }) => node)),
    prune() {
      for (const reported of accounts.values()) {
        for (const id of reported.commands) {
          const at = writer.get(fleetCommandKey(id))?.at;
          if (typeof at !== "string" || now() - Date.parse(at) <= UNCONFIRMED_MS) continue;
          reported.commands.delete(id);
          writer.del(fleetCommandKey(id));
        }
      }
    },
    get size() {
      return devices.size;
    },
  };
}

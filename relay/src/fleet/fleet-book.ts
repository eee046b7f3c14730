// Long because a device's two tellers, its owner and the list, meet in one table.
import type { FleetAccountValue, FleetDeviceValue, FleetFlip } from "@mulkko/shared/live/fleet";
import { fleetAccountKey, fleetCommandKey, fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { type Quality, worseQuality } from "@mulkko/shared/rules/quality";
import type { AccountWriter } from "../ports/writer.ts";
import type { AccountReport, DeviceReport } from "./account-report.ts";
import { UNCONFIRMED_MS } from "./account-story.ts";
import { isSameDevice, type ListedDevice, type Sign } from "./listed-device.ts";

/** All devices of the fleet, told by their accounts' owners, or else by the farm API's list. */
export interface FleetBook {
  /** Goes on from what the owner before wrote. */
  resume(values: ReadonlyMap<string, FleetDeviceValue>): void;
  /** Rows of the farm API's list, a page at a time. Returns accounts of which something is otherwise than before. */
  list(rows: readonly ListedDevice[]): Set<string>;
  /** The list is through: what was not on it is gone. Returns the accounts that had it. */
  listed(keys: ReadonlySet<string>): Set<string>;
  /** What an account's owner on that node says. */
  told(node: string, report: AccountReport): void;
  /** The account is watched no more; the list speaks for it. */
  untold(node: string, account: string): void;
  /** Nobody on that node is heard any more. */
  nodeGone(node: string): void;
  /** Of a device that no owner speaks for: something was heard. */
  heard(key: string, sign: Sign): void;
  /** Of a device that no owner speaks for: what is said of it, and whether it flipped. */
  judged(key: string, quality: Quality | null, flip: FleetFlip | null): void;
  /** Devices that no owner speaks for. */
  untoldKeys(): string[];
  isTold(key: string): boolean;
  device(key: string): ListedDevice | undefined;
  keyOfSerial(serial: string | number): string | undefined;
  /** Nodes that have told of an account. */
  nodes(): Set<string>;
  /** Commands that are too old are shown no more. */
  prune(): void;
  readonly size: number;
}

export interface FleetBookParts {
  readonly writer: Pick<AccountWriter, "get" | "keys" | "set" | "del">;
  readonly now: () => number;
  /** A device that an owner spoke for is now the list's, as it was known last; or the other way round. */
  readonly onTeller: (
    key: string,
    told: boolean,
    shown: { offline: boolean; heardAt: number | null },
  ) => void;
  /** A device is nowhere any more. */
  readonly onGone: (key: string) => void;
}

/** ms within which the farm API has recorded a flip; its record then takes the place of what the relay saw itself. */
const RECORDED_WITHIN_MS = 120_000;
/** Devices that are shown at most; what comes beyond them is left out. */
export const FLEET_DEVICES = 50_000;

interface Device {
  listed: ListedDevice | undefined;
  told: { readonly account: string; readonly report: DeviceReport } | undefined;
  /** Of the list's devices: as they are judged here. */
  quality: Quality | null;
  flip: FleetFlip | null;
  sign: Sign | null;
}

interface Told {
  readonly node: string;
  readonly keys: Set<string>;
  alarms: AccountReport["alarms"];
  commands: Set<string>;
}

const iso = (at: number): string => new Date(at).toISOString();
/** What its owner says, once the owner has heard of it; until then the list knows more. */
const reportOf = ({ told, sign }: Device): DeviceReport | undefined =>
  told && (told.report.quality !== null || sign === null) ? told.report : undefined;
const isSpokenFor = (device: Device): boolean => reportOf(device) !== undefined;
const newer = (a: FleetFlip | null, b: FleetFlip | null): FleetFlip | null =>
  a === null || (b !== null && b.at > a.at) ? b : a;

export function createFleetBook(parts: FleetBookParts): FleetBook {
  const { writer, now } = parts;
  const devices = new Map<string, Device>();
  const accounts = new Map<string, Told>();
  const names = new Map<string, string>();
  /** Keys of devices by account. */
  const members = new Map<string, Set<string>>();
  const placeOf = new Map<string, string>();
  const serials = new Map<string, string>();
  /** Accounts whose sums are to be made anew. */
  const uncounted = new Set<string>();

  const deviceOf = (key: string): Device | undefined => {
    const known = devices.get(key);
    if (known || devices.size >= FLEET_DEVICES) return known;
    const fresh: Device = { listed: undefined, told: undefined, quality: null, flip: null, sign: null };
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
    const { listed, told, quality, flip, sign } = device;
    const report = reportOf(device);
    const named = told?.report ?? listed;
    if (!named) return null;
    const account = listed?.account ?? told?.account ?? null;
    const fromList = {
      quality,
      flip,
      battery: sign?.battery ?? null,
      rssi: sign?.rssi ?? null,
      fwversion: sign?.fwversion ?? null,
      heardAt: sign === null ? null : iso(sign.heardAt),
    };
    const { id, kind, name, deviceType, serial } = named;
    const from = report ?? fromList;
    return {
      ...{ id, kind, account, name, deviceType, serial },
      username: listed?.username ?? (account === null ? null : (names.get(String(account)) ?? null)),
      latitude: named.latitude ?? listed?.latitude ?? null,
      longitude: named.longitude ?? listed?.longitude ?? null,
      quality: from.quality,
      flip: newer(from.flip, flip),
      battery: from.battery,
      rssi: from.rssi,
      fwversion: from.fwversion,
      heardAt: from.heardAt,
    };
  };
  /** The last flip alone, so that the first viewer and the second read the same. */
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
      parts.onGone(key);
      return;
    }
    writer.set(key, { ...value, since: sinceOf(value) });
    place(key, value.account === null ? null : String(value.account));
    if (value.account !== null) uncounted.add(String(value.account));
  };
  /** Writes how an account's devices stand together. */
  const count = (account: string): void => {
    const keys = members.get(account);
    const told = accounts.get(account);
    if (!keys || keys.size === 0) {
      members.delete(account);
      writer.del(fleetAccountKey(account));
      return;
    }
    const sum = { late: 0, offline: 0, unknown: 0, never: 0 };
    let worst: Quality | null = null;
    let id: FleetAccountValue["id"] = account;
    for (const key of keys) {
      const device = devices.get(key);
      const quality = device ? (reportOf(device) ?? device).quality : null;
      id = device?.listed?.account ?? id;
      if (quality === null) {
        sum.never += 1;
        continue;
      }
      if (quality !== "fresh") sum[quality] += 1;
      worst = worst === null ? quality : worseQuality(worst, quality);
    }
    const value: FleetAccountValue = {
      id,
      username: names.get(account) ?? null,
      quality: worst,
      devices: keys.size,
      ...sum,
      alarms: told?.alarms?.count ?? null,
      worstAlarm: told?.alarms?.worst ?? null,
      watched: told !== undefined,
    };
    writer.set(fleetAccountKey(account), { ...value });
  };
  const settle = (): void => {
    for (const account of uncounted) count(account);
    uncounted.clear();
  };
  /** What an owner said last is what the list goes on from. */
  const remember = (device: Device): void => {
    const report = reportOf(device);
    if (!report) return;
    const { quality, heardAt, battery, rssi, fwversion, flip } = report;
    device.flip = newer(device.flip, flip);
    device.quality = quality;
    if (heardAt !== null) device.sign = { heardAt: Date.parse(heardAt), battery, rssi, fwversion };
  };
  const leaveToList = (key: string, { quality, sign }: Device): void =>
    parts.onTeller(key, false, { offline: quality === "offline", heardAt: sign?.heardAt ?? null });
  const release = (key: string): void => {
    const device = devices.get(key);
    if (!device?.told) return;
    const wasSpokenFor = isSpokenFor(device);
    remember(device);
    device.told = undefined;
    if (device.listed && wasSpokenFor) leaveToList(key, device);
    show(key);
  };
  const forgetAccount = (account: string): void => {
    const told = accounts.get(account);
    if (!told) return;
    accounts.delete(account);
    for (const id of told.commands) writer.del(fleetCommandKey(id));
    for (const key of told.keys) release(key);
    uncounted.add(account);
  };
  const showCommands = (
    account: string,
    told: Told,
    commands: NonNullable<AccountReport["commands"]>,
  ): void => {
    const shown = new Set(commands.map(({ id }) => id));
    for (const id of told.commands) if (!shown.has(id)) writer.del(fleetCommandKey(id));
    for (const command of commands) {
      const username = names.get(account) ?? null;
      writer.set(fleetCommandKey(command.id), { ...command, account, username });
    }
    told.commands = shown;
  };

  return {
    resume(values) {
      for (const [key, value] of values) {
        const device = deviceOf(key);
        if (!device) return;
        const { quality, since: _, flip, battery, rssi, fwversion, heardAt, ...named } = value;
        const sign = heardAt === null ? null : { heardAt: Date.parse(heardAt), battery, rssi, fwversion };
        device.listed = { key, ...named, sign };
        Object.assign(device, { quality, flip, sign });
        serials.set(String(named.serial), key);
        if (named.account !== null) {
          if (named.username !== null) names.set(String(named.account), named.username);
          place(key, String(named.account));
        }
        parts.onTeller(key, false, { offline: quality === "offline", heardAt: sign?.heardAt ?? null });
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
        const { sign } = row;
        if (sign && (device.sign === null || sign.heardAt >= device.sign.heardAt)) device.sign = sign;
        // What was seen a moment ago the API may not have recorded yet.
        const isJustSeen = device.flip !== null && now() - Date.parse(device.flip.at) < RECORDED_WITHIN_MS;
        if (row.flip !== undefined && !isJustSeen) device.flip = row.flip;
        if (wasSpokenFor && !isSpokenFor(device)) {
          parts.onTeller(row.key, false, { offline: device.quality === "offline", heardAt: null });
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
    told(node, report) {
      const { account } = report;
      const before = accounts.get(account);
      const told: Told = {
        node,
        keys: before?.keys ?? new Set(),
        alarms: before?.alarms,
        commands: before?.commands ?? new Set(),
      };
      accounts.set(account, told);
      if (report.begins) {
        const named = new Set(report.devices.map(({ kind, id }) => fleetDeviceKey(kind, id)));
        for (const key of [...told.keys]) {
          if (named.has(key)) continue;
          told.keys.delete(key);
          release(key);
        }
      }
      for (const device of report.devices) {
        const key = fleetDeviceKey(device.kind, device.id);
        const known = deviceOf(key);
        if (!known) break;
        const wasSpokenFor = isSpokenFor(known);
        remember(known);
        known.told = { account, report: device };
        told.keys.add(key);
        if (isSpokenFor(known)) {
          if (!wasSpokenFor) parts.onTeller(key, true, { offline: false, heardAt: null });
        } else if (wasSpokenFor) leaveToList(key, known);
        show(key);
      }
      for (const key of report.gone) {
        if (told.keys.delete(key)) release(key);
      }
      if (report.alarms) told.alarms = report.alarms;
      if (report.commands) showCommands(account, told, report.commands);
      uncounted.add(account);
      settle();
    },
    untold(node, account) {
      if (accounts.get(account)?.node !== node) return;
      forgetAccount(account);
      settle();
    },
    nodeGone(node) {
      for (const [account, told] of [...accounts]) if (told.node === node) forgetAccount(account);
      settle();
    },
    heard(key, sign) {
      const device = devices.get(key);
      if (!device || isSpokenFor(device) || (device.sign && sign.heardAt <= device.sign.heardAt)) return;
      device.sign = sign;
      show(key);
      settle();
    },
    judged(key, quality, flip) {
      const device = devices.get(key);
      if (!device || isSpokenFor(device)) return;
      device.quality = quality;
      device.flip = newer(device.flip, flip);
      show(key);
      settle();
    },
    untoldKeys: () => [...devices].filter(([, device]) => !isSpokenFor(device)).map(([key]) => key),
    isTold(key) {
      const device = devices.get(key);
      return device !== undefined && isSpokenFor(device);
    },
    device: (key) => devices.get(key)?.listed,
    keyOfSerial: (serial) => serials.get(String(serial)),
    nodes: () => new Set([...accounts.values()].map(({ node }) => node)),
    prune() {
      for (const told of accounts.values()) {
        for (const id of told.commands) {
          const at = writer.get(fleetCommandKey(id))?.at;
          if (typeof at !== "string" || now() - Date.parse(at) <= UNCONFIRMED_MS) continue;
          told.commands.delete(id);
          writer.del(fleetCommandKey(id));
        }
      }
    },
    get size() {
      return devices.size;
    },
  };
}

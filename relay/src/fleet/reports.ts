import { LogEntry } from "@mulkko/shared/entities/log-entry";
import { AlarmPriority } from "@mulkko/shared/live/alarm";
import { FleetCommandValue, FleetDeviceValue, type FleetFlip } from "@mulkko/shared/live/fleet";
import { StoredActivity } from "@mulkko/shared/rest/fleet";
import type { Flip } from "@mulkko/shared/rules/presence";
import { DeviceLink, Quality } from "@mulkko/shared/rules/quality";
import { ForeignSerial, Id } from "@mulkko/shared/schema/id";
import { Instant } from "@mulkko/shared/schema/instant";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import type { StateValue } from "../store/streams.ts";
import { UrgentReport, WaterReport } from "./account-water.ts";

/** Most devices in one batch, over all of its reports. */
export const DEVICES_A_BATCH = 200;
/** Most accounts in one batch. */
export const ACCOUNTS_A_BATCH = 100;
/** Most commands without a confirmation, or failed, that one account shows: the newest. */
export const COMMANDS_AN_ACCOUNT = 20;
/** ms for which administrators see a failed or unconfirmed command. */
export const UNCONFIRMED_MS = 24 * 3_600_000;

/** A device as its account's owner knows it. */
export const DeviceReport = Type.Object({
  ...Type.Omit(FleetDeviceValue, ["account", "username", "since", "alarm"]).properties,
  beats: Type.Optional(StoredActivity),
});
export type DeviceReport = Static<typeof DeviceReport>;

/** The report of an account's owner to the fleet's owner: complete at first, then the changes. */
export const AccountReport = Type.Object({
  account: Type.String(),
  /** True if earlier reports of the account no longer count. The rest may follow in later reports. */
  begins: Type.Boolean(),
  devices: Type.Array(DeviceReport, { maxItems: DEVICES_A_BATCH }),
  /** Keys of `fleet` that the account no longer has. */
  gone: Type.Array(Type.String(), { maxItems: 2_000 }),
  alarms: Type.Optional(Type.Object({ count: Type.Integer(), worst: Nullable(AlarmPriority) })),
  /** The alarms that concern administrators; left out by an earlier version. */
  urgent: Type.Optional(UrgentReport),
  /** Its valves; null until the account has been read, left out by an earlier version. */
  water: Type.Optional(Nullable(WaterReport)),
  /** All failed and unconfirmed commands, the newest last. */
  commands: Type.Optional(
    Type.Array(Type.Omit(FleetCommandValue, ["account", "username"]), { maxItems: COMMANDS_AN_ACCOUNT }),
  ),
});
export type AccountReport = Static<typeof AccountReport>;

/** One batch of reports from a node's accounts. Applying it twice gives the same result. */
export const FleetBatch = Type.Object({
  node: Type.String(),
  /** The fleet's owner that the batch is meant for. Another owner starts from complete reports. */
  term: Type.String(),
  reports: Type.Array(AccountReport, { maxItems: ACCOUNTS_A_BATCH }),
  /** Accounts that this node no longer watches. */
  over: Type.Array(Type.String(), { maxItems: 10_000 }),
});
export type FleetBatch = Static<typeof FleetBatch>;

/** The fleet owner's answer: its term, and whether it has viewers. */
export const FleetVerdict = Type.Object({ term: Type.String(), wanted: Type.Boolean() });
export type FleetVerdict = Static<typeof FleetVerdict>;

/** The verdict while there is no owner, or none that answers. */
export const NOT_WANTED: FleetVerdict = { term: "", wanted: false };

/** ms by which a measurement has to be older than its device's contact to be shown beside it. */
const OLDER_MS = 60_000;

/** Return the time of a measurement that is older than its device's contact, else null (AGE-1). */
export function olderMeasurement(at: string | null, heardAt: string | null): string | null {
  if (at === null || heardAt === null) return null;
  return Date.parse(heardAt) - Date.parse(at) >= OLDER_MS ? at : null;
}

/** Return a flip with ISO times. */
export function wireFlip(flip: Flip): FleetFlip;
export function wireFlip(flip: Flip | null): FleetFlip | null;
export function wireFlip(flip: Flip | null): FleetFlip | null {
  if (flip === null) return null;
  const { at, online, last } = flip;
  return {
    at: new Date(at).toISOString(),
    online,
    last: last === null ? null : new Date(last).toISOString(),
  };
}

const Text = Type.Optional(Nullable(Type.String()));
const Amount = Type.Optional(Nullable(Type.Number()));
const Shown = { quality: Nullable(Quality), heardAt: Nullable(Instant) };

/** The fields read from `sensor:{id}` and `controller:{id}`. The relay itself writes both values. */
const ShownSensor = Type.Object({
  ...Shown,
  at: Nullable(Instant),
  info: Type.Object({
    id: Id,
    name: Text,
    deviceType: Type.String(),
    serial: ForeignSerial,
    latitude: Amount,
    longitude: Amount,
  }),
  reading: Nullable(
    Type.Object({
      battery: Amount,
      rssi: LogEntry.properties.rssi,
      fwversion: LogEntry.properties.fwversion,
    }),
  ),
});
const ShownController = Type.Object({
  ...Shown,
  info: Type.Object({ id: Id, name: Text, type: Text, serial: ForeignSerial }),
  link: Type.Optional(Nullable(DeviceLink)),
  rssi: Nullable(Type.Number()),
  fwversion: Nullable(Type.String()),
});

/** Return null for 0, which means "not placed". */
export const placed = (degrees: number | null | undefined): number | null => degrees || null;

/** Return a device of an account as the fleet shows it, or null if the value is no device. */
export function deviceReport(key: string, value: StateValue, flip: FleetFlip | null): DeviceReport | null {
  if (key.startsWith("sensor:")) {
    const sensor = parse(ShownSensor, value);
    if (!sensor.ok) return null;
    const { info, reading, quality, heardAt, at } = sensor.value;
    const fwversion = reading?.fwversion;
    return {
      ...{ id: info.id, kind: "sensor", name: info.name ?? null },
      ...{ deviceType: info.deviceType, serial: info.serial },
      latitude: placed(info.latitude),
      longitude: placed(info.longitude),
      quality,
      flip,
      battery: reading?.battery ?? null,
      rssi: reading?.rssi ?? null,
      fwversion: fwversion === null || fwversion === undefined ? null : String(fwversion),
      heardAt,
      at: info.deviceType === "COT" ? null : olderMeasurement(at, heardAt),
    };
  }
  if (!key.startsWith("controller:")) return null;
  const controller = parse(ShownController, value);
  if (!controller.ok) return null;
  const { info, quality, heardAt, rssi, fwversion, link = null } = controller.value;
  return {
    ...{ id: info.id, kind: "controller", name: info.name ?? null },
    ...{ deviceType: info.type ?? null, serial: info.serial },
    ...{ latitude: null, longitude: null, battery: null },
    ...{ quality, link, flip, rssi, fwversion, heardAt },
  };
}

const Urgency = Type.Object({ priority: AlarmPriority, active: Type.Boolean() });

/**
 * Return the number of an account's active alarms, and the most urgent priority. A cleared alarm that is not
 * acknowledged yet is for its account, not for an administrator.
 */
export function alarmsOf(
  keys: Iterable<string>,
  get: (key: string) => StateValue | undefined,
): NonNullable<AccountReport["alarms"]> {
  let count = 0;
  let worst: AlarmPriority | null = null;
  for (const key of keys) {
    if (!key.startsWith("alarm:")) continue;
    const alarm = parse(Urgency, get(key));
    if (!alarm.ok || !alarm.value.active) continue;
    count += 1;
    if (worst === null || alarm.value.priority < worst) worst = alarm.value.priority;
  }
  return { count, worst };
}

import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import { certainPercent } from "@mulkko/shared/rules/device-health";
import { numberOfText } from "@mulkko/shared/rules/number-text";
import { readFields } from "../../decode/fields.ts";
import { messageTime } from "../../decode/message-time.ts";
import type { Fields } from "../../history/reading.ts";
import type { Profile } from "./compile-profile.ts";
import { convertField } from "./convert.ts";
import { readPath } from "./path.ts";
import type { Uplink } from "./uplink.ts";

/** Most earlier measurements in one frame; the largest frames of LoRaWAN have 242 bytes. */
export const MAX_HISTORY = 100;

/** A rejected part of an uplink. */
export interface UplinkFault {
  readonly field: string | null;
  readonly reason: RejectReason;
}

/** Measurements of an uplink. */
export interface Profiled {
  readonly readings: readonly {
    /** ms since 1970 UTC */
    readonly at: number;
    readonly fields: Fields;
  }[];
  readonly faults: readonly UplinkFault[];
}

function measure(profile: Profile, decoded: unknown, deviceType: string): ReturnType<typeof readFields> {
  const raw: Record<string, unknown> = {};
  for (const field of profile.fields) raw[field.name] = convertField(field, decoded);
  return readFields(deviceType, raw);
}

function entryTime(
  raw: unknown,
  format: "unix-s" | "unix-ms" | "iso",
  receivedAt: number,
): ReturnType<typeof messageTime> {
  // An entry without a time is skipped.
  if ((typeof raw !== "number" && typeof raw !== "string") || raw === "") {
    return { ok: false, reason: "bad-time" };
  }
  if (format === "iso") return messageTime(raw, receivedAt);
  const number = typeof raw === "string" ? numberOfText(raw) : raw;
  const date = new Date((number ?? Number.NaN) * (format === "unix-s" ? 1_000 : 1));
  if (Number.isNaN(date.getTime())) return { ok: false, reason: "bad-time" };
  return messageTime(date.toISOString(), receivedAt);
}

/**
 * Return the readings of an uplink, in wire units: the current measurement, and earlier ones with their own
 * times. A frame without a field of the device's type has no reading.
 *
 * @param receivedAt time of arrival, ms since 1970 UTC
 */
export function applyProfile(
  profile: Profile,
  uplink: Pick<Uplink, "decoded" | "battery"> & { readonly at: number },
  deviceType: string,
  receivedAt: number,
): Profiled {
  const readings: { at: number; fields: Fields }[] = [];
  const faults: UplinkFault[] = [];

  const now = measure(profile, uplink.decoded, deviceType);
  faults.push(...now.faults);
  if (Object.keys(now.fields).length > 0) {
    const knowsBattery = deviceTypeOf(deviceType).fields.some(({ name }) => name === "battery");
    const { battery } = uplink;
    const status =
      knowsBattery && battery !== null && now.fields.battery === undefined
        ? { battery: certainPercent(battery) }
        : {};
    readings.push({ at: uplink.at, fields: { ...status, ...now.fields } });
  }

  const entries = profile.history ? readPath(uplink.decoded, profile.history.path) : undefined;
  if (!profile.history || entries === undefined || entries === null) return { readings, faults };
  if (!Array.isArray(entries)) {
    return { readings, faults: [...faults, { field: "history", reason: "wrong-type" }] };
  }
  if (entries.length > MAX_HISTORY) {
    return { readings, faults: [...faults, { field: "history", reason: "too-large" }] };
  }
  for (const entry of entries) {
    const time = entryTime(readPath(entry, profile.history.at.path), profile.history.at.format, receivedAt);
    if (!time.ok) {
      faults.push({ field: "history", reason: time.reason });
      continue;
    }
    const then = measure(profile, entry, deviceType);
    faults.push(...then.faults);
    if (Object.keys(then.fields).length > 0) readings.push({ at: time.at, fields: then.fields });
  }
  return { readings, faults };
}

import { UplinkMessage } from "@mulkko/shared/mqtt/device-messages";
import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { numberOfText } from "@mulkko/shared/rules/number-text";
import { Compile } from "typebox/compile";
import type { Fields } from "../history/reading.ts";
import { cleanText, type FieldFault, readFields, readJsonObject } from "./fields.ts";
import { type StatedTime, statedTime, type ZonelessForm } from "./message-time.ts";

/** Compiled: interpreting the schema took a fifth of this thread's time at full load. */
const UPLINK = Compile(UplinkMessage);

/** Longest stored firmware version, characters. */
export const MAX_FWVERSION = 32;

/** Content of a device's message, independent of the device. */
export interface Decoded {
  readonly time: StatedTime;
  readonly fwversion: string | null;
  readonly rssi: number | null;
  readonly fields: Fields;
  readonly faults: readonly FieldFault[];
}

export type Decoding =
  | ({ readonly ok: true } & Decoded)
  | { readonly ok: false; readonly reason: RejectReason; readonly faults: readonly FieldFault[] };

const refused = (reason: RejectReason, faults: readonly FieldFault[] = []): Decoding => ({
  ok: false,
  reason,
  faults,
});

export function signalOf(raw: unknown): number | null {
  const number = typeof raw === "string" ? numberOfText(raw) : raw;
  return typeof number === "number" && number >= -200 && number <= 100 ? number : null;
}

/** Decode `mulkko/{serial}/up` in our own format. @param receivedAt ms since 1970 UTC; @param form of earlier times without a zone */
export function decodeNative(
  payload: Uint8Array,
  deviceType: string,
  receivedAt: number,
  zone: ApiTimeZone,
  form: ZonelessForm | null = null,
): Decoding {
  const read = readJsonObject(payload);
  if (!read.ok) return refused(read.reason);
  const time = statedTime(read.object.at, receivedAt, zone, form);
  const head: unknown = { fwversion: read.object.fwversion, rssi: signalOf(read.object.rssi) };
  if (!UPLINK.Check(head)) {
    const [fault] = UPLINK.Errors(head);
    return refused("wrong-type", [{ field: fault?.instancePath.slice(1) ?? "", reason: "wrong-type" }]);
  }
  const { fields, faults } = readFields(deviceType, read.object);
  if (Object.keys(fields).length === 0) return refused("no-usable-field", faults);
  const { fwversion, rssi } = head;
  return {
    ok: true,
    time,
    fwversion: fwversion === undefined || fwversion === null ? null : cleanText(fwversion, MAX_FWVERSION),
    rssi: rssi ?? null,
    fields,
    faults,
  };
}

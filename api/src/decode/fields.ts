import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import { canonicalFieldName, deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import { certainPercent } from "@mulkko/shared/rules/device-health";
import { numberOfText } from "@mulkko/shared/rules/number-text";
import type { Fields } from "../history/reading.ts";

/** Largest message of a device, bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

const STRINGS_AND_NANS = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

type Read =
  | { readonly ok: true; readonly object: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: RejectReason };

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Some devices write NaN, which JSON lacks.
    return JSON.parse(text.replace(STRINGS_AND_NANS, (token) => (token.startsWith('"') ? token : "null")));
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parse a device's payload as a JSON object; a bare NaN becomes null. */
export function readJsonObject(payload: Uint8Array): Read {
  if (payload.byteLength > MAX_MESSAGE_BYTES) return { ok: false, reason: "too-large" };
  try {
    const value = parseText(Buffer.from(payload).toString("utf8"));
    return isObject(value) ? { ok: true, object: value } : { ok: false, reason: "wrong-type" };
  } catch {
    return { ok: false, reason: "not-json" };
  }
}

// PostgreSQL accepts no NUL, and JSON no lone surrogates.
const CONTROL = /\p{Cc}/gu;

/**
 * Return a device's text as a database accepts it: no control characters, complete characters only, at most
 * `max` long.
 */
export function cleanText(raw: string | number, max: number): string {
  return String(raw).slice(0, max).toWellFormed().replace(CONTROL, "");
}

/** A field with an invalid value. */
export interface FieldFault {
  readonly field: string;
  readonly reason: "out-of-range" | "wrong-type";
}

type Value = { kind: "number"; number: number } | { kind: "missing" } | { kind: "wrong-type" };

const MISSING_TEXT = /^(|nan|null|none|n\/a|-+)$/i;

function readValue(raw: unknown): Value {
  if (raw === null || raw === undefined) return { kind: "missing" };
  if (typeof raw === "number") {
    return Number.isFinite(raw) ? { kind: "number", number: raw } : { kind: "missing" };
  }
  if (typeof raw !== "string") return { kind: "wrong-type" };
  const text = raw.trim();
  if (MISSING_TEXT.test(text)) return { kind: "missing" };
  const number = numberOfText(text);
  return number === null ? { kind: "wrong-type" } : { kind: "number", number };
}

const fits = (spec: FieldSpec, number: number): boolean =>
  number >= spec.range[0] && number <= spec.range[1] && (!spec.integer || Number.isInteger(number));

const storedValue = (name: FieldName, number: number): number =>
  name === "battery" ? certainPercent(number) : number;

function specOf(deviceType: string, name: string): { name: FieldName; spec: FieldSpec } | undefined {
  if (!isFieldName(name)) return undefined;
  const type = deviceTypeOf(deviceType);
  const own = type.fields.find((field) => field.name === name);
  // An unknown type may have any field of the catalogue.
  const spec = own ?? (type.fields.length === 0 ? FIELDS[name] : undefined);
  return spec && { name, spec };
}

/**
 * Read the fields of a device's type from a message, under the catalogue's names. NaN, null and empty are
 * missing. Numbers may be text (NUM-1). Physically impossible values are missing too, and reported as faults.
 * A battery is in % here, the catalogue's unit, and must not pass for volts later (BAT-2).
 */
export function readFields(
  deviceType: string,
  message: Readonly<Record<string, unknown>>,
): { readonly fields: Fields; readonly faults: readonly FieldFault[] } {
  const fields: Partial<Record<FieldName, number>> = {};
  const faults: FieldFault[] = [];
  for (const [key, raw] of Object.entries(message)) {
    const canonical = canonicalFieldName(key);
    if (canonical !== key && Object.hasOwn(message, canonical)) continue;
    const known = specOf(deviceType, canonical);
    if (!known) continue;
    const value = readValue(raw);
    switch (value.kind) {
      case "missing":
        break;
      case "wrong-type":
        faults.push({ field: known.name, reason: "wrong-type" });
        break;
      case "number":
        if (fits(known.spec, value.number)) fields[known.name] = storedValue(known.name, value.number);
        else faults.push({ field: known.name, reason: "out-of-range" });
    }
  }
  return { fields, faults };
}

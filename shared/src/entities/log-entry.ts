import { type Static, Type } from "typebox";
import { HIDDEN_KEYS } from "../catalogue/device-type.ts";
import { isFieldName } from "../catalogue/fields.ts";
import { canonicalFieldName } from "../catalogue/registry.ts";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";

/**
 * One reading as the API stores it: who, when, and the fields of its type. Other keys stay in place, as each
 * device type has its own.
 */
export const LogEntry = Type.Object({
  sensorId: Type.Optional(Nullable(Id)),
  /** API time without a zone. */
  createdDate: Type.String(),
  modifiedDate: Type.Optional(Nullable(Type.String())),
  fwversion: Type.Optional(Nullable(Type.Union([Type.String(), Type.Number()]))),
  /** dBm */
  rssi: Type.Optional(Nullable(Type.Number())),
});
export type LogEntry = Static<typeof LogEntry> & Readonly<Record<string, unknown>>;

/** The measurements of a reading in wire units; null where the device sent nothing usable. */
export type Measurements = Readonly<Record<string, number | null>>;

/**
 * The measurements in a log entry under the catalogue's names. Numbers sent as text are read; a
 * field of the catalogue that holds no number is missing (null).
 */
export function measurementsOf(entry: Readonly<Record<string, unknown>>): Measurements {
  const found: Record<string, number | null> = {};
  for (const [key, raw] of Object.entries(entry)) {
    if (HIDDEN_KEYS.includes(key)) continue;
    const name = canonicalFieldName(key);
    const number = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
    if (typeof number === "number" && Number.isFinite(number)) found[name] = number;
    else if (isFieldName(name)) found[name] = null;
  }
  return found;
}

import { type Static, Type } from "typebox";
import { HIDDEN_KEYS } from "../catalogue/device-type.ts";
import { isFieldName } from "../catalogue/fields.ts";
import { canonicalFieldName } from "../catalogue/registry.ts";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";

/**
 * One reading as the API stores it: device, time, and the fields of its type. Other keys stay in place,
 * because each device type has its own.
 */
export const LogEntry = Type.Object({
  sensorId: Type.Optional(Nullable(Id)),
  /** API time without a zone; "" where a foreign API sends nothing that can be read (ROW-1). */
  createdDate: Type.String({ default: "" }),
  modifiedDate: Type.Optional(Nullable(Type.String())),
  fwversion: Type.Optional(Nullable(Type.Union([Type.String(), Type.Number()]))),
  /** dBm */
  rssi: Type.Optional(Nullable(Type.Number())),
  /** Extension: number of a live message in the order of arrival, which only rises (ORD-1). */
  arrival: Type.Optional(Nullable(Type.Integer())),
  /** Extension: since when the device's clock has been wrong, so that `createdDate` is the arrival (ORD-2). */
  clockWrongSince: Type.Optional(Nullable(Type.String())),
});
export type LogEntry = Static<typeof LogEntry> & Readonly<Record<string, unknown>>;

/**
 * `fieldTimes` of a newest log entry (extension `field-times`): measurement time of each field older than
 * `createdDate`. An API without the extension leaves it out. `receivedAt` (ISO) beside it is the arrival of an
 * entry whose own time differs from it by 2 s or more, `backAt` (ISO) the contact after the sensor's last gap of
 * an hour or more (FLIP-1).
 */
export const FieldTimes = TextRecord(Instant);
export type FieldTimes = Static<typeof FieldTimes>;

/** The measurements of a reading in wire units; null where the device sent no usable value. */
export type Measurements = Readonly<Record<string, number | null>>;

/**
 * Return the measurements in a log entry under the catalogue's names. Numbers sent as text are read; a field
 * of the catalogue without a number is missing (null).
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

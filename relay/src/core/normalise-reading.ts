import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { type LogEntry, measurementsOf } from "@mulkko/shared/entities/log-entry";
import type { LiveReading } from "@mulkko/shared/live/devices";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";

/** A reading as it came in. Times are ms UTC. */
export interface Reading {
  readonly values: LiveReading;
  /** When it was measured. */
  readonly at: number;
  /** When the device was heard: the arrival of its message, else what the log says. */
  readonly heardAt: number;
  readonly via: "mqtt" | "poll";
}

/** Keys of a row that are no measurement, whoever's API it is. */
const NO_MEASUREMENT = new Set([
  "id",
  "at",
  "receivedAt",
  "userId",
  "serial",
  "clusterId",
  "channel",
  "chNums",
]);

/**
 * The measurements of a row in the catalogue's names and units, with signal and firmware. A known type keeps the
 * fields that the catalogue knows; an unknown one keeps all its numbers.
 */
export function readingValues(deviceType: string, entry: Readonly<Record<string, unknown>>): LiveReading {
  const known = deviceTypeOf(deviceType).fields.length > 0;
  const measured = Object.entries(measurementsOf(entry)).filter(
    ([name, value]) => !NO_MEASUREMENT.has(name) && (isFieldName(name) || (!known && value !== null)),
  );
  const { rssi, fwversion } = entry;
  return {
    ...Object.fromEntries(measured),
    rssi: typeof rssi === "number" ? rssi : null,
    fwversion: typeof fwversion === "number" || typeof fwversion === "string" ? String(fwversion) : null,
  };
}

/** A row of a list or log; null if its time cannot be read. */
export function polledReading(deviceType: string, entry: LogEntry, zone: ApiTimeZone): Reading | null {
  const at = zone.toInstant(entry.createdDate);
  return at === null ? null : { values: readingValues(deviceType, entry), at, heardAt: at, via: "poll" };
}

/** A message of the API's output topic. */
export function heardReading(
  deviceType: string,
  message: Readonly<Record<string, unknown>> & { at: string; receivedAt: string },
): Reading {
  return {
    values: readingValues(deviceType, message),
    at: Date.parse(message.at),
    heardAt: Date.parse(message.receivedAt),
    via: "mqtt",
  };
}

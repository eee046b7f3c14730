import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { FieldTimes, type LogEntry, measurementsOf } from "@mulkko/shared/entities/log-entry";
import { LiveReading } from "@mulkko/shared/live/devices";
import type { OutReading } from "@mulkko/shared/mqtt/out-messages";
import { type ApiClock, newestTime } from "@mulkko/shared/rules/zoneless-time";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import type { StateValue } from "../store/streams.ts";

/** A received reading. Times are ms UTC. */
export interface Reading {
  readonly values: LiveReading;
  /** Times of fields measured before the reading; null if there are none. */
  readonly fieldTimes: FieldTimes | null;
  /** Time of the measurement; null if the source names none that is readable. */
  readonly at: number | null;
  /**
   * Time of the report: the arrival of its message where that is known, else the time in the log; null like
   * `at`.
   */
  readonly heardAt: number | null;
  /** Contact after the device's last gap of an hour or more, where the source names it (FLIP-1). */
  readonly backAt?: number;
  readonly via: "mqtt" | "poll";
  /** The list or log that it was read from; each moves on by itself. */
  readonly source: ReadingSource;
  /** Number that the farm API gave a live reading in its order of arrival (ORD-1); null for any other. */
  readonly arrival: number | null;
  /** Since when the device's clock has been wrong; null: it is not known to be (ORD-2). */
  readonly clockWrongSince: number | null;
}

export type ReadingSource = "mqtt" | "list" | "latest" | "latest-mqtt";

/** Keys of a row that are not measurements, in every known API. */
const NO_MEASUREMENT = new Set([
  "id",
  "at",
  "receivedAt",
  "backAt",
  "userId",
  "serial",
  "clusterId",
  "channel",
  "chNums",
]);

/**
 * Return the measurements of a row with the catalogue's names and units, plus signal and firmware. Unknown
 * numbers are kept: cards show them under their own names.
 */
export function readingValues(entry: Readonly<Record<string, unknown>>): LiveReading {
  const measured = Object.entries(measurementsOf(entry)).filter(
    ([name, value]) => !NO_MEASUREMENT.has(name) && (isFieldName(name) || value !== null),
  );
  const { rssi, fwversion } = entry;
  return {
    ...Object.fromEntries(measured),
    rssi: typeof rssi === "number" ? rssi : null,
    fwversion: typeof fwversion === "number" || typeof fwversion === "string" ? String(fwversion) : null,
  };
}

/** Share by which a number may differ between two answers with the same row. */
const ROUNDING = 1e-6;

/** True if a row has another value than the reading before it, which was polled too. */
function isOtherRow(values: LiveReading, known: StateValue | undefined): boolean {
  const before = parse(LiveReading, known?.reading);
  if (known?.via !== "poll" || !before.ok) return false;
  return Object.entries(values).some(([name, value]) => {
    const earlier = before.value[name] ?? null;
    if (value === null || earlier === null || value === earlier) return false;
    const isRounded =
      typeof value === "number" &&
      typeof earlier === "number" &&
      Math.abs(value - earlier) <= ROUNDING * Math.max(Math.abs(value), Math.abs(earlier));
    return !isRounded;
  });
}

/**
 * Convert a row of a list or log.
 *
 * @param known the sensor's value before, which distinguishes the occurrences of a repeated time
 */
export function polledReading(
  entry: LogEntry,
  source: Exclude<ReadingSource, "mqtt">,
  clock: ApiClock,
  known?: StateValue,
): Reading {
  const values = readingValues(entry);
  const before = parse(Instant, known?.at);
  const at = newestTime(entry.createdDate, clock.zone, {
    now: clock.now(),
    before: before.ok ? Date.parse(before.value) : null,
    isOther: isOtherRow(values, known),
  });
  const times = parse(FieldTimes, entry.fieldTimes);
  const fieldTimes = times.ok && Object.keys(times.value).length > 0 ? times.value : null;
  // The bundled API names the arrival of a reading whose own time is another one (AGE-1, FLIP-1).
  const received = parse(Instant, entry.receivedAt);
  const backAt = parse(Instant, entry.backAt);
  return {
    values,
    fieldTimes,
    at,
    heardAt: at !== null && received.ok ? Date.parse(received.value) : at,
    ...(backAt.ok && { backAt: Date.parse(backAt.value) }),
    via: "poll",
    source,
    arrival: entry.arrival ?? null,
    clockWrongSince: newestTime(entry.clockWrongSince, clock.zone, { now: clock.now() }),
  };
}

/** Convert a message of the API's output topic. */
export function receivedReading(message: OutReading): Reading {
  const { backAt } = message;
  return {
    values: readingValues(message),
    fieldTimes: null,
    at: Date.parse(message.at),
    heardAt: Date.parse(message.receivedAt),
    ...(backAt !== undefined && { backAt: Date.parse(backAt) }),
    via: "mqtt",
    source: "mqtt",
    arrival: message.arrival ?? null,
    clockWrongSince: message.clockWrongSince ? Date.parse(message.clockWrongSince) : null,
  };
}

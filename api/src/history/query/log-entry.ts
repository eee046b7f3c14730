import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { LogEntry } from "@mulkko/shared/entities/log-entry";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { LatestReading, Reading } from "../reading.ts";

/** Return a reading in the API's format: the fields of the device's type, null where one is missing. */
export function logEntryOf(reading: Reading, deviceType: string, zone: ApiTimeZone): LogEntry {
  const measured: Readonly<Record<string, number>> = reading.fields;
  const fields: Record<string, number | null> = {};
  for (const { name } of deviceTypeOf(deviceType, reading.fields).fields) {
    fields[name] = measured[name] ?? null;
  }
  return {
    sensorId: reading.sensorId,
    createdDate: zone.toApi(reading.at),
    modifiedDate: zone.toApi(reading.receivedAt),
    fwversion: reading.fwversion,
    rssi: reading.rssi,
    ...fields,
    ...(reading.clockWrongSince !== undefined && {
      clockWrongSince: new Date(reading.clockWrongSince).toISOString(),
    }),
  };
}

/** ms by which arrival and measurement have to differ for an entry to name both: a flip has one time (FLIP-1). */
const APART_MS = 2_000;

/**
 * Return the newest values of a sensor; `fieldTimes` has the time of each field that was measured before the
 * newest one, `receivedAt` the arrival of a reading whose own time is another one (AGE-1), `backAt` the
 * contact after the sensor's last gap of an hour or more, which may have been an earlier one (FLIP-1).
 */
export function latestEntryOf(latest: LatestReading, deviceType: string, zone: ApiTimeZone): LogEntry {
  const { at, receivedAt, arrival, backAt } = latest;
  const isApart = Math.abs(receivedAt - at) >= APART_MS;
  const entry: LogEntry = {
    ...logEntryOf(latest, deviceType, zone),
    ...(arrival !== undefined && { arrival }),
    ...(isApart && { receivedAt: new Date(receivedAt).toISOString() }),
    ...(backAt !== undefined && { backAt: new Date(backAt).toISOString() }),
  };
  const older = Object.entries(latest.fieldTimes).filter(([name]) => name in entry);
  if (older.length === 0) return entry;
  const fieldTimes = Object.fromEntries(older.map(([name, time]) => [name, new Date(time).toISOString()]));
  return { ...entry, fieldTimes };
}

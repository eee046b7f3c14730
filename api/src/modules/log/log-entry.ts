import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { LogEntry } from "@mulkko/shared/entities/log-entry";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Reading } from "../../ingest/reading.ts";

/** A reading as the API gives it: the fields of the device's type, null where one is missing. */
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
  };
}

import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { History } from "@mulkko/shared/rest/history";

/** The last 24 hours of one field by sensor id, oldest first; null for a bucket without a measurement. */
export type Sparklines = ReadonlyMap<string, readonly (number | null)[]>;

/** Half-hour buckets. */
export const TREND_BUCKETS = 48;
export const TREND_HOURS = 24;

/** Sensor whose sparkline is requested. */
export interface SparklineSensor {
  readonly id: string;
  readonly deviceType: string;
}

/** Return the fields to request: each type's primary one. */
export function sparklineFields(sensors: readonly SparklineSensor[]): string[] {
  return [...new Set(sensors.map(({ deviceType }) => deviceTypeOf(deviceType).primary))].filter(Boolean);
}

/** Select each sensor's primary field from an answer. A sensor without history has no sparkline. */
export function sparklinesOf(history: History, sensors: readonly SparklineSensor[]): Sparklines {
  const byId = new Map(history.series.map((series) => [series.sensorId, series]));
  const trends = new Map<string, readonly (number | null)[]>();
  for (const { id, deviceType } of sensors) {
    const values = byId.get(id)?.fields[deviceTypeOf(deviceType).primary]?.avg;
    if (values?.some((value) => value !== null)) trends.set(id, values);
  }
  return trends;
}

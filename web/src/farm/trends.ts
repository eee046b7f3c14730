import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { History } from "@mulkko/shared/rest/history";

/** The last 24 hours of one field per sensor id, oldest first; null where nothing was measured. */
export type Trends = ReadonlyMap<string, readonly (number | null)[]>;

/** Half-hour buckets. */
export const TREND_BUCKETS = 48;
export const TREND_HOURS = 24;

/** A sensor of which the trend is wanted. */
export interface TrendSensor {
  readonly id: string;
  readonly deviceType: string;
}

/** The fields to ask for: each type's primary one. */
export function trendFields(sensors: readonly TrendSensor[]): string[] {
  return [...new Set(sensors.map(({ deviceType }) => deviceTypeOf(deviceType).primary))].filter(Boolean);
}

/** Takes each sensor's primary field out of an answer; a sensor without history has no trend. */
export function trendsOf(history: History, sensors: readonly TrendSensor[]): Trends {
  const byId = new Map(history.series.map((series) => [series.sensorId, series]));
  const trends = new Map<string, readonly (number | null)[]>();
  for (const { id, deviceType } of sensors) {
    const values = byId.get(id)?.fields[deviceTypeOf(deviceType).primary]?.avg;
    if (values?.some((value) => value !== null)) trends.set(id, values);
  }
  return trends;
}

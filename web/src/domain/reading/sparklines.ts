import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { History } from "@mulkko/shared/rest/history";
import type { RestClient } from "../../api/client.ts";
import { fetchHistory } from "../../api/history.ts";

/** The last 24 hours of one field by sensor id, oldest first; null for a bucket without a measurement. */
export type Sparklines = ReadonlyMap<string, readonly (number | null)[]>;

/** Refresh interval of the sparklines, ms; a tenth of a bucket. */
export const SPARKLINES_EVERY_MS = 180_000;

/** Half-hour buckets. */
const TREND_BUCKETS = 48;
const TREND_HOURS = 24;

/** Maximum number of sensors in one request: their ids must fit in the query. */
const TREND_SENSORS = 80;

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

/** Fetch the last 24 hours of each sensor's primary field, with one request for all. @param to ms UTC */
export async function fetchSparklines(
  rest: RestClient,
  sensors: readonly SparklineSensor[],
  to: number,
  signal: AbortSignal,
): Promise<Sparklines> {
  const asked = sensors.slice(0, TREND_SENSORS);
  const range = {
    sources: asked.map(({ id }) => ({ id })),
    fields: sparklineFields(asked),
    from: to - TREND_HOURS * 3_600_000,
    to,
    buckets: TREND_BUCKETS,
  };
  return sparklinesOf(await fetchHistory(rest, range, signal), asked);
}

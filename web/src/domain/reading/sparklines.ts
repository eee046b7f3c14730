import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
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

/**
 * Fetch the last 24 hours of each sensor's primary field, with one request for all. A sensor without history
 * has no sparkline.
 *
 * @param to ms UTC
 */
export async function fetchSparklines(
  rest: RestClient,
  sensors: readonly SparklineSensor[],
  to: number,
  signal: AbortSignal,
): Promise<Sparklines> {
  const asked = sensors
    .slice(0, TREND_SENSORS)
    .map(({ id, deviceType }) => ({ id, field: deviceTypeOf(deviceType).primary }));
  const range = {
    sources: asked.map(({ id }) => ({ id })),
    fields: [...new Set(asked.map(({ field }) => field))].filter(Boolean),
    from: to - TREND_HOURS * 3_600_000,
    to,
    buckets: TREND_BUCKETS,
  };
  const { series } = await fetchHistory(rest, range, signal);
  const trends = new Map<string, readonly (number | null)[]>();
  for (const { id, field } of asked) {
    const values = series.find(({ sensorId }) => sensorId === id)?.fields[field]?.avg;
    if (values?.some((value) => value !== null)) trends.set(id, values);
  }
  return trends;
}

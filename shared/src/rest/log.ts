import { type Static, Type } from "typebox";
import { LogEntry } from "../entities/log-entry.ts";

/** Answer of a log range: rows with statistics, or (foreign APIs) a bare list. */
export const LogRange = Type.Union([
  Type.Array(LogEntry),
  Type.Object({ data: Type.Array(LogEntry) }, { additionalProperties: true }),
]);
export type LogRange = Static<typeof LogRange>;

/** One bucket of extension `log-buckets`; an empty bucket has count 0 and no fields. */
export const LogBucket = Type.Object({ createdDate: Type.String(), count: Type.Integer() });
export const LogBuckets = Type.Object({ data: Type.Array(LogBucket) }, { additionalProperties: true });

/** Maximum number of buckets in one request. */
export const MAX_BUCKETS = 2_000;

/**
 * The four statistics of one field over a range; `avg` and `variance` (of the population) are weighted by
 * time.
 */
export interface FieldStatistics {
  max: number | null;
  min: number | null;
  avg: number | null;
  variance: number | null;
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Return the names of a field's statistics on the wire: `maxCo2`, `minCo2`, `avgCo2`, `co2Variation`;
 * one-letter fields write the last one in small letters: `nvariation`.
 */
export function statisticNames(field: string): Record<keyof FieldStatistics, string> {
  const upper = capitalised(field);
  return {
    max: `max${upper}`,
    min: `min${upper}`,
    avg: `avg${upper}`,
    variance: field.length === 1 ? `${field}variation` : `${field}Variation`,
  };
}

/** Find a field's statistics in an answer, whatever the case of their names (`nvariation`, `nVariation`). */
export function statisticsOf(answer: Readonly<Record<string, unknown>>, field: string): FieldStatistics {
  const byName = new Map(Object.entries(answer).map(([key, value]) => [key.toLowerCase(), value]));
  const names = statisticNames(field);
  const read = (name: string): number | null => {
    const value = byName.get(name.toLowerCase());
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  };
  return {
    max: read(names.max),
    min: read(names.min),
    avg: read(names.avg),
    variance: read(names.variance),
  };
}

import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import type { Reading } from "./reading.ts";

/** Aggregate of one field over an hour or a day. */
export interface FieldRollup {
  count: number;
  sum: number;
  /** Sum of squared distances from the mean: plain squares would lose precision for a large counter. */
  spread: number;
  min: number;
  max: number;
  /** The value measured last, not the one that arrived last, and its time, ms since 1970 UTC. */
  last: number;
  lastAt: number;
  /** Sums of cosine and sine, for a direction only. */
  cos: number | null;
  sin: number | null;
}

/** An hour or a day of a sensor; `start` is ms since 1970 UTC. */
export interface Rollup {
  readonly sensorId: string;
  readonly start: number;
  rows: number;
  readonly fields: Map<FieldName, FieldRollup>;
}

/** Fields that are directions. */
export const CIRCULAR: ReadonlySet<string> = new Set(
  Object.values<FieldSpec>(FIELDS).flatMap(({ name, circular }) => (circular ? [name] : [])),
);

function fieldOf(name: FieldName, value: number, at: number): FieldRollup {
  const angle = CIRCULAR.has(name) ? (value * Math.PI) / 180 : null;
  return {
    count: 1,
    sum: value,
    spread: 0,
    min: value,
    max: value,
    last: value,
    lastAt: at,
    cos: angle === null ? null : Math.cos(angle),
    sin: angle === null ? null : Math.sin(angle),
  };
}

/** Merge `more` into `into`, whatever their order in time (Chan, Golub, LeVeque 1983). */
function put(into: FieldRollup, more: FieldRollup): void {
  const count = into.count + more.count;
  const distance = more.sum / more.count - into.sum / into.count;
  into.spread += more.spread + (distance * distance * into.count * more.count) / count;
  into.count = count;
  into.sum += more.sum;
  into.min = Math.min(into.min, more.min);
  into.max = Math.max(into.max, more.max);
  if (more.lastAt >= into.lastAt) {
    into.last = more.last;
    into.lastAt = more.lastAt;
  }
  if (into.cos !== null && more.cos !== null) into.cos += more.cos;
  if (into.sin !== null && more.sin !== null) into.sin += more.sin;
}

/**
 * Aggregate readings by the hour or day of their measurement. The order is the same for every writer, so that
 * two writers never deadlock.
 *
 * @param length of an hour or a day, ms
 */
export function aggregate(readings: readonly Reading[], length: number): Rollup[] {
  const sheet = new Map<string, Map<number, Rollup>>();
  for (const { sensorId, at, fields } of readings) {
    const start = Math.floor(at / length) * length;
    const ofSensor = sheet.get(sensorId) ?? new Map<number, Rollup>();
    const rollup = ofSensor.get(start) ?? { sensorId, start, rows: 0, fields: new Map() };
    sheet.set(sensorId, ofSensor.set(start, rollup));
    rollup.rows += 1;
    for (const [name, value] of Object.entries(fields)) {
      if (!isFieldName(name)) continue;
      const known = rollup.fields.get(name);
      const more = fieldOf(name, value, at);
      if (known) put(known, more);
      else rollup.fields.set(name, more);
    }
  }
  return [...sheet]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, starts]) => [...starts.values()].sort((a, b) => a.start - b.start));
}

/** Stored parts of each field, with the type of their columns. */
const PARTS = {
  count: "int",
  sum: "double precision",
  spread: "double precision",
  min: "double precision",
  max: "double precision",
  last: "double precision",
  lastAt: "timestamptz",
  cos: "double precision",
  sin: "double precision",
} as const satisfies Record<keyof FieldRollup, string>;

export type Part = keyof typeof PARTS;

/** Return a column of `reading_hour` and `reading_day`, e.g. `"temperature_max"`. */
export const columnOf = (name: FieldName, part: Part): string =>
  `"${name}_${part === "lastAt" ? "last_at" : part}"`;

/** Return the parts of a field: cosines are stored for directions only. */
export function partsOf(name: FieldName): { part: Part; type: string }[] {
  return Object.entries(PARTS).flatMap(([part, type]) =>
    isPart(part) && (CIRCULAR.has(name) || (part !== "cos" && part !== "sin")) ? [{ part, type }] : [],
  );
}

const isPart = (name: string): name is Part => name in PARTS;

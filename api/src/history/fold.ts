import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import type { Reading } from "../ingest/reading.ts";

/** What is kept of one field over an hour or a day. */
export interface FieldRollup {
  count: number;
  sum: number;
  /** Sum of squared distances from the mean: squares themselves would cancel where a counter is large. */
  spread: number;
  min: number;
  max: number;
  /** The value that was measured last, not the one that came last; and when, ms since 1970 UTC. */
  last: number;
  lastAt: number;
  /** Sums of cosine and sine, of a direction alone. */
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

/** Puts `more` into `into`, in whichever order the two were measured (Chan, Golub, LeVeque 1983). */
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
 * What the readings add to the hours or days that they were measured in, in one order whoever writes them: two
 * writers never wait for each other crosswise.
 *
 * @param length of an hour or a day, ms
 */
export function fold(readings: readonly Reading[], length: number): Rollup[] {
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

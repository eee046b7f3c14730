import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { CIRCULAR, type FieldRollup } from "./aggregate.ts";

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

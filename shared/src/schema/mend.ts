import type { Static, TSchema } from "typebox";
import { faultOf, matches } from "./parse.ts";

/** A field, or a whole row of a list, that breaks the contract. */
export interface OddField {
  /** Dotted names without list indexes, such as `channels.sensors.serial`; "" is a whole row. */
  readonly field: string;
  /** Id of the row of the answer's outermost list; null without one. */
  readonly row: string | null;
}

/** A value that meets its schema without its odd fields, or the place and reason where it does not. */
export type Mended<T> =
  | { ok: true; value: T; odd: readonly OddField[] }
  | { ok: false; path: string; message: string };

/** Supported keywords of JSON Schema. */
interface Shape {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
  default?: unknown;
  anyOf?: readonly Shape[];
}

interface Place {
  readonly field: string;
  readonly row: string | null;
  readonly odd: OddField[];
}

const NUMBER = /^[-+]?\d+(\.\d+)?$/;
const YES: readonly unknown[] = [1, "1", "true", "Y"];
const NO: readonly unknown[] = [0, "0", "false", "N"];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Return the part of a foreign value that meets a schema, so that one odd field does not lose its row:
 *
 * - a number sent as text, a text sent as a number, and 0, 1, Y, N for a boolean are read as their meaning;
 * - an odd optional field is left out, as if the API had not sent it, and named in `odd`;
 * - a time sent as a list of year, month, day, hour, minute and so on is read as text;
 * - a required field that may be null becomes null, and one with a default becomes that;
 * - a row of a list without its required fields is left out and named in `odd`.
 *
 * Fields unknown to the schema stay as they are.
 */
export function mend<S extends TSchema>(schema: S, value: unknown): Mended<Static<S>> {
  if (matches(schema, value)) return { ok: true, value, odd: [] };
  const odd: OddField[] = [];
  const read = reading(schema, value, { field: "", row: null, odd });
  return read !== undefined && matches(schema, read)
    ? { ok: true, value: read, odd }
    : { ok: false, ...faultOf(schema, value) };
}

/** @returns undefined if no part of the value meets the schema */
function reading(schema: Shape, value: unknown, place: Place): unknown {
  if (matches(schema, value)) return value;
  const meant = meanings(value).find((each) => matches(schema, each));
  if (meant !== undefined) return meant;
  for (const shape of schema.anyOf ?? [schema]) {
    if (shape.anyOf) {
      const read = reading(shape, value, place);
      if (read !== undefined) return read;
    } else if (shape.properties && isRecord(value)) {
      const odd: OddField[] = [];
      const read = readRecord(shape.properties, new Set(shape.required), value, { ...place, odd });
      if (read === undefined) continue;
      place.odd.push(...odd);
      return read;
    } else if (shape.items && Array.isArray(value)) {
      return readList(shape.items, value, place);
    }
  }
  return undefined;
}

/** Return the possible meanings of a scalar of another type, the likeliest first. */
function meanings(value: unknown): unknown[] {
  const text = typeof value === "string" ? value.trim() : null;
  return [
    ...(text === "" ? [null] : []),
    ...(text !== null && NUMBER.test(text) ? [Number(text)] : []),
    ...(YES.includes(value) ? [true] : NO.includes(value) ? [false] : []),
    ...(typeof value === "number" && Number.isFinite(value) ? [`${value}`] : []),
    ...(Array.isArray(value) ? timesOf(value) : []),
  ];
}

/** Return the time in a list such as `[2026, 11, 28, 9, 30]`, as text: the default of a common Java serialiser. */
function timesOf(parts: readonly unknown[]): string[] {
  const numbers = parts.filter((part) => typeof part === "number" && Number.isInteger(part) && part >= 0);
  const isTime = numbers.length === parts.length && parts.length >= 3 && parts.length <= 7;
  const [year = 0, month, day, hour = 0, minute = 0, second = 0] = numbers;
  if (!isTime || Number(year) < 1_000) return [];
  const two = (part: unknown): string => String(part).padStart(2, "0");
  return [`${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`];
}

function readRecord(
  properties: Readonly<Record<string, Shape>>,
  required: ReadonlySet<string>,
  value: Readonly<Record<string, unknown>>,
  place: Place,
): Record<string, unknown> | undefined {
  const read: Record<string, unknown> = { ...value };
  for (const [name, shape] of Object.entries(properties)) {
    const sent = value[name];
    if (sent === undefined && !required.has(name)) continue;
    const field = place.field === "" ? name : `${place.field}.${name}`;
    const part = sent === undefined ? undefined : reading(shape, sent, { ...place, field });
    if (part !== undefined) {
      read[name] = part;
      continue;
    }
    if (required.has(name)) {
      if (shape.default !== undefined) read[name] = shape.default;
      else if (matches(shape, null)) read[name] = null;
      else return undefined;
    } else {
      delete read[name];
    }
    if (sent !== undefined) place.odd.push({ field, row: place.row });
  }
  return read;
}

function readList(items: Shape, value: readonly unknown[], place: Place): unknown[] {
  return value.flatMap((item) => {
    const row = place.row ?? idOf(item);
    const read = reading(items, item, { ...place, row });
    if (read !== undefined) return [read];
    place.odd.push({ field: place.field, row });
    return [];
  });
}

function idOf(item: unknown): string | null {
  if (!isRecord(item)) return null;
  return typeof item.id === "string" || typeof item.id === "number" ? `${item.id}`.slice(0, 128) : null;
}

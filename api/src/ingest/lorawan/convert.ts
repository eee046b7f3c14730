import { numberOfText } from "@mulkko/shared/rules/number-text";
import type { CompiledField } from "./compile-profile.ts";
import { readPath } from "./path.ts";
import { toWire } from "./units.ts";

/** Digits that survive binary floating-point arithmetic; no sensor has more. */
const DIGITS = 12;

const numberOf = (raw: unknown): number | null => {
  if (typeof raw === "number") return raw;
  return typeof raw === "string" ? numberOfText(raw) : null;
};

const plain = (text: string): string => text.trim().toLowerCase();

function isMissing(raw: unknown, missing: CompiledField["missing"] = []): boolean {
  const number = numberOf(raw);
  return missing.some((sentinel) =>
    typeof sentinel === "number"
      ? number === sentinel
      : typeof raw === "string" && plain(raw) === plain(sentinel),
  );
}

function wordOf(raw: unknown, words: CompiledField["words"] = {}): unknown {
  if (typeof raw !== "string" && typeof raw !== "boolean") return raw;
  const wanted = plain(String(raw));
  const found = Object.entries(words).find(([word]) => plain(word) === wanted);
  return found ? found[1] : raw;
}

/** Interpolate between the points; beyond the ends, return the end's value. */
function interpolate(points: readonly (readonly [number, number])[], x: number): number {
  let [x0, y0] = points[0] ?? [x, x];
  if (x <= x0) return y0;
  for (const [x1, y1] of points) {
    if (x <= x1) return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
    [x0, y0] = [x1, y1];
  }
  return y0;
}

/**
 * Convert one field of a decoded object to the unit of readings. Return a value that is not a number
 * unchanged, so that the field check reports it; undefined is missing.
 */
export function convertField(field: CompiledField, decoded: unknown): unknown {
  const raw = readPath(decoded, field.path);
  if (isMissing(raw, field.missing)) return undefined;
  const meant = wordOf(raw, field.words);
  const number = numberOf(meant);
  if (number === null || !Number.isFinite(number)) return meant;
  const divisor = field.divisor ? numberOf(readPath(decoded, field.divisor)) : 1;
  if (!divisor) return undefined;
  let value = (number / divisor) * (field.scale ?? 1) + (field.offset ?? 0);
  if (field.table) value = interpolate(field.table, value);
  if (field.unit) value = toWire(value, field.unit, field.name);
  return Number(value.toPrecision(DIGITS));
}

import type { StateValue } from "./streams.ts";

/** Parse stored JSON text. Invalid text is undefined, which its reader's schema refuses. */
export function readJson(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** True if two JSON values are equal; an undefined field counts as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) if (!sameJson(a[key], b[key])) return false;
  return true;
}

/** Return the fields that differ from the value; null when none does. */
export function changedFields(value: StateValue | undefined, fields: StateValue): StateValue | null {
  if (value === undefined) return fields;
  const changed = Object.entries(fields).filter(([name, field]) => !sameJson(value[name], field));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

/** True if `after` has every field of `before`, so a patch can turn the one into the other. */
export function keepsFields(before: StateValue, after: StateValue): boolean {
  return Object.keys(before).every((name) => name in after);
}

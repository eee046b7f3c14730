/** Sums of floating-point numbers depend on their order in the last digits. */
const RELATIVE = 1e-9;
const MAX_TEXT = 100;

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= RELATIVE * Math.max(1, Math.abs(a));

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const textOf = (value: unknown): string => String(JSON.stringify(value)).slice(0, MAX_TEXT);

/**
 * Return where an answer differs from an earlier one by more than rounding, as `/path: earlier → now`. Fields
 * that only the later version knows are no difference.
 */
export function differencesOf(earlier: unknown, now: unknown, path = ""): string[] {
  if (typeof earlier === "number" && typeof now === "number" && isNear(earlier, now)) return [];
  if (isObject(earlier) && isObject(now) && Array.isArray(earlier) === Array.isArray(now)) {
    const [a, b] = [new Map(Object.entries(earlier)), new Map(Object.entries(now))];
    const keys = Array.isArray(now) ? new Set([...a.keys(), ...b.keys()]) : a.keys();
    return [...keys].flatMap((key) => differencesOf(a.get(key), b.get(key), `${path}/${key}`));
  }
  return Object.is(earlier, now) ? [] : [`${path}: ${textOf(earlier)} → ${textOf(now)}`];
}

/** Sums of floating-point numbers depend on their order in the last digits. */
const RELATIVE = 1e-9;

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= RELATIVE * Math.max(1, Math.abs(a));

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Return where two JSON values differ by more than rounding, as `/path: earlier → now`. */
export function differencesOf(earlier: unknown, now: unknown, path = ""): string[] {
  if (typeof earlier === "number" && typeof now === "number" && isNear(earlier, now)) return [];
  if (isObject(earlier) && isObject(now) && Array.isArray(earlier) === Array.isArray(now)) {
    const [a, b] = [new Map(Object.entries(earlier)), new Map(Object.entries(now))];
    return [...new Set([...a.keys(), ...b.keys()])].flatMap((key) =>
      differencesOf(a.get(key), b.get(key), `${path}/${key}`),
    );
  }
  return Object.is(earlier, now) ? [] : [`${path}: ${JSON.stringify(earlier)} → ${JSON.stringify(now)}`];
}

/** Levels of a body, far above those of any call. */
const MAX_DEPTH = 64;

/** Why no call may contain a value. */
export type ValueFault =
  | { readonly kind: "too-deep" }
  /** A number beyond a double: text such as `1e309` becomes Infinity, which limits of schemas do not see. */
  | { readonly kind: "too-large"; readonly field: string };

/**
 * Return the fault of a parsed query or body; null where it has none. It is no recursion: a body may have 100,000
 * levels.
 */
export function valueFault(...values: readonly unknown[]): ValueFault | null {
  let level = values.map((value) => ({ field: "", value }));
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return { kind: "too-deep" };
    const found = level.find(({ value }) => typeof value === "number" && !Number.isFinite(value));
    if (found) return { kind: "too-large", field: found.field };
    level = level.flatMap(({ field, value }) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).map(([name, inner]) => ({ field: field || name, value: inner }))
        : [],
    );
  }
  return null;
}

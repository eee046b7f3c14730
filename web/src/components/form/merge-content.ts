function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => Object.is(item, b[index]));
  }
  return Object.is(a, b);
}

const keysOf = <V extends object>(values: V) => Object.keys(values) as (keyof V)[];

export const areSame = <V extends object>(a: V, b: V): boolean =>
  keysOf(a).every((key) => isSame(a[key], b[key]));

/**
 * Copy content from elsewhere into the fields not changed here. In a conflict the local value stays and the
 * other is offered.
 */
export function mergeContent<V extends object>(
  values: V,
  base: V,
  fresh: V,
): { merged: V; collides: boolean } {
  const merged = { ...fresh };
  let collides = false;
  for (const key of keysOf(fresh)) {
    if (isSame(values[key], base[key])) continue;
    merged[key] = values[key];
    if (!isSame(fresh[key], base[key])) collides = true;
  }
  return { merged, collides: collides && !areSame(merged, fresh) };
}

/** What stands in a form, and what it is compared with. */
export interface FormContent<V extends object> {
  readonly values: V;
  /** As it was saved last, here or elsewhere: the form is changed where its values differ from it. */
  readonly base: V;
  /** What came last from elsewhere; the same once more is no news. */
  readonly seen: V;
  /** What somebody else has saved in a field that was changed here as well; null while there is no such thing. */
  readonly elsewhere: V | null;
}

const keysOf = <V extends object>(values: V) => Object.keys(values) as (keyof V)[];

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => Object.is(item, b[index]));
  }
  return Object.is(a, b);
}

const areSame = <V extends object>(a: V, b: V): boolean => keysOf(a).every((key) => isSame(a[key], b[key]));

export function beginContent<V extends object>(initial: V, draft: V | null = null): FormContent<V> {
  return { values: draft ?? initial, base: initial, seen: initial, elsewhere: null };
}

/** True while something stands here that is nowhere else. */
export function isChanged<V extends object>({ values, base }: FormContent<V>): boolean {
  return !areSame(values, base);
}

/**
 * What came from elsewhere goes into the fields that nobody has changed here. Where both have changed one, mine
 * stays and the other is offered.
 */
export function followContent<V extends object>(content: FormContent<V>, fresh: V): FormContent<V> {
  const { values, base, seen } = content;
  if (areSame(fresh, seen)) return content;
  const merged = { ...fresh };
  let collides = content.elsewhere !== null;
  for (const key of keysOf(fresh)) {
    if (isSame(values[key], base[key])) continue;
    merged[key] = values[key];
    if (!isSame(fresh[key], base[key])) collides = true;
  }
  const offered = collides && !areSame(merged, fresh);
  return { values: merged, base: fresh, seen: fresh, elsewhere: offered ? fresh : null };
}

/** What was sent is saved; what was typed meanwhile is a change again. */
export function savedContent<V extends object>(content: FormContent<V>, sent: V): FormContent<V> {
  return { ...content, base: sent, elsewhere: null };
}

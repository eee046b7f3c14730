/** A form's values and the content they are compared with. */
export interface FormContent<V extends object> {
  readonly values: V;
  /** Last saved content, from here or elsewhere. The form is changed if its values differ from it. */
  readonly base: V;
  /** Last content from elsewhere; the same content again is ignored. */
  readonly seen: V;
  /** Another user's value of a field also changed here; null if there is no conflict. */
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

/** Return true while the form has unsaved values. */
export function isChanged<V extends object>({ values, base }: FormContent<V>): boolean {
  return !areSame(values, base);
}

/**
 * Copy content from elsewhere into the fields not changed here. In a conflict the local value stays and the
 * other is offered.
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

/** Mark the sent content as saved. Text typed since then is a new change. */
export function savedContent<V extends object>(content: FormContent<V>, sent: V): FormContent<V> {
  return { ...content, base: sent, elsewhere: null };
}

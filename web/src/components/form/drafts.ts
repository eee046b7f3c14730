/** Maximum number of stored drafts. */
const MAX_DRAFTS = 8;

/** In memory only: other users of this browser must not read the typed values. */
const drafts = new Map<string, object>();

/** Store a form's values when the session ends. */
export function keepDraft(key: string, values: object): void {
  drafts.delete(key);
  drafts.set(key, values);
  for (const oldest of drafts.keys()) {
    if (drafts.size <= MAX_DRAFTS) break;
    drafts.delete(oldest);
  }
}

/** Return a form's stored values if they have the same fields. */
export function readDraft<V extends object>(key: string, initial: V): V | null {
  const draft = drafts.get(key);
  return draft === undefined ? null : { ...initial, ...draft };
}

export function dropDraft(key: string): void {
  drafts.delete(key);
}

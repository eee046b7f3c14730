/** Most forms that wait for somebody to sign in again. */
const MAX_DRAFTS = 8;

/** In memory alone: what somebody typed goes to no storage that others of this browser can read. */
const drafts = new Map<string, object>();

/** Keeps what stood in a form that a sign-in's end took off the page. */
export function keepDraft(key: string, values: object): void {
  drafts.delete(key);
  drafts.set(key, values);
  for (const oldest of drafts.keys()) {
    if (drafts.size <= MAX_DRAFTS) break;
    drafts.delete(oldest);
  }
}

/** What was kept for a form, as far as it is still made of the same fields. */
export function readDraft<V extends object>(key: string, initial: V): V | null {
  const kept = drafts.get(key);
  return kept === undefined ? null : { ...initial, ...kept };
}

export function dropDraft(key: string): void {
  drafts.delete(key);
}

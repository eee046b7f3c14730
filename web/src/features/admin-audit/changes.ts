import type { AuditEntry } from "@mulkko/shared/rest/admin";

/** One changed value; null if there was or is none. */
export interface Change {
  readonly field: string;
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

type Value = Change["before"];

/** Prepare a value for display; other types are shown as JSON. */
function shownValue(raw: unknown): Value {
  if (raw === undefined || raw === null || raw === "") return null;
  if (typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean") return raw;
  return JSON.stringify(raw);
}

/**
 * Return the changes of an audit entry, one per field. A created or deleted subject lists only its own
 * fields.
 */
export function changesOf({ before, after }: Pick<AuditEntry, "before" | "after">): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .map((field) => ({ field, before: shownValue(before?.[field]), after: shownValue(after?.[field]) }))
    .filter((change) => change.before !== change.after);
}

/** Return the page of an entry's subject; null without one, as after its deletion. */
export function subjectAddress({ action, subjectKind, subjectId }: AuditEntry): string | null {
  if (action.endsWith("-delete")) return null;
  const query = new URLSearchParams({ id: subjectId });
  if (subjectKind === "user") return `/adminpage/user?${query}`;
  return subjectKind === "sensor" ? `/adminpage/sensor?${query}` : null;
}

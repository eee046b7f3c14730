import type { AuditEntry } from "@mulkko/shared/rest/admin";

/** One value that a deed changed; null where there was or is none. */
export interface Change {
  readonly field: string;
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

type Value = Change["before"];

/** A value as it can be shown; what is none of these is shown as JSON. */
function shownValue(raw: unknown): Value {
  if (raw === undefined || raw === null || raw === "") return null;
  if (typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean") return raw;
  return JSON.stringify(raw);
}

/** What a deed changed, a line for each field: of what was made or deleted, only what it had. */
export function changesOf({ before, after }: Pick<AuditEntry, "before" | "after">): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .map((field) => ({ field, before: shownValue(before?.[field]), after: shownValue(after?.[field]) }))
    .filter((change) => change.before !== change.after);
}

/** The page of what a deed was done to; null where there is none, as of what is gone. */
export function subjectAddress({ action, subjectKind, subjectId }: AuditEntry): string | null {
  if (action.endsWith("-delete")) return null;
  const query = new URLSearchParams({ id: subjectId });
  if (subjectKind === "user") return `/adminpage/user?${query}`;
  return subjectKind === "sensor" ? `/adminpage/sensor?${query}` : null;
}

/** Kinds of entity that a write may have changed; their lists become due (POLL-8). */
export type ChangedKind = "sensor" | "farm" | "controller" | "channel" | "notification" | "account";

const BY_PATH: readonly (readonly [RegExp, readonly ChangedKind[]])[] = [
  [/^\/api\/v1\/sensor\/channel\//, ["controller", "channel"]],
  [/^\/api\/v1\/sensor\/cmd/, ["channel"]],
  [/^\/api\/v1\/sensor\//, ["sensor", "farm"]],
  [/^\/api\/v1\/cluster\//, ["farm", "sensor"]],
  [/^\/api\/v1\/controller\/cmd/, ["channel"]],
  [/^\/api\/v1\/controller\/channel\//, ["channel"]],
  [/^\/api\/v1\/controller/, ["controller", "channel"]],
  [/^\/api\/v1\/noti\//, ["notification"]],
  [/^\/api\/v1\/admin\/user\//, ["sensor", "farm", "controller"]],
  [/^\/api\/v1\/admin\/sensor/, ["sensor", "farm"]],
];

/** Matches an administration path and captures the account id in it, if any. */
const ADMIN = /^\/api\/v1\/admin\/(?:user\/(?:update|delete|changepassword)\/([^/]+))?/;

/**
 * Return the account that an administrator's write names, with null as its id when the path names none. Null
 * for other writes.
 */
export function adminWrite(path: string): { readonly accountId: string | null } | null {
  const match = ADMIN.exec(path);
  return match && { accountId: match[1] === undefined ? null : decoded(match[1]) };
}

/** Null for invalid UTF-8, which the API has interpreted differently. */
function decoded(id: string): string | null {
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}

/**
 * Return the kinds of entity that a write to a farm API path may have changed; empty for paths outside the
 * account's devices.
 */
export function changedKindsOf(path: string): readonly ChangedKind[] {
  return BY_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}

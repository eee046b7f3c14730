/** Kinds of entity that a write may have touched; their lists come due (POLL-8). */
export type Touched = "sensor" | "farm" | "controller" | "channel" | "notification" | "account";

const BY_PATH: readonly (readonly [RegExp, readonly Touched[]])[] = [
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

/** A path of administration; the account that it names, if it names one. */
const ADMIN = /^\/api\/v1\/admin\/(?:user\/(?:update|delete|changepassword)\/([^/]+))?/;

/** Of an administrator's write: the account whose it is, null where the path does not say. Null for other writes. */
export function adminWrite(path: string): { readonly accountId: string | null } | null {
  const match = ADMIN.exec(path);
  return match && { accountId: match[1] === undefined ? null : decoded(match[1]) };
}

/** Null for what is no UTF-8: the API has taken it for something else. */
function decoded(id: string): string | null {
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}

/** What a write to a path of the farm API may have changed; nothing for paths outside the account's devices. */
export function touchedBy(path: string): readonly Touched[] {
  return BY_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}

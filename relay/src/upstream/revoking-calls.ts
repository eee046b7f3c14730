import { apiPath } from "@mulkko/shared/rest/routes";

/** Whose tokens a call may have revoked. */
export type Revoked =
  | { readonly of: "caller" }
  /** `deleted`: there is no such account any more. */
  | { readonly of: "account"; readonly accountId: string; readonly deleted: boolean };

const OWN_SESSION = /^\/api\/v1\/session\/[^/]+\/?$/;
const USER = /^\/api\/v1\/admin\/user\/(update|changepassword|delete)\/([^/]+)\/?$/;

/**
 * Whose tokens a successful call may have revoked (AUTH-4): a logout and the end of another session the caller's
 * own, a user who was changed, given another password or deleted theirs; null: nobody's.
 */
export function revokedBy(method: string, path: string): Revoked | null {
  if (path === apiPath.logout || path === apiPath.ownPassword) return { of: "caller" };
  if (method === "DELETE" && OWN_SESSION.test(path)) return { of: "caller" };
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return null;
  const [, deed, id] = USER.exec(path) ?? [];
  if (id === undefined) return null;
  try {
    return { of: "account", accountId: decodeURIComponent(id), deleted: deed === "delete" };
  } catch {
    // An id that is no UTF-8 is nobody's: the API has taken it for something else.
    return null;
  }
}

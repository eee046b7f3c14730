import { apiPath } from "@mulkko/shared/rest/routes";

/** The tokens that a call may have revoked. */
export type Revoked =
  | { readonly of: "caller" }
  /** `deleted`: the account no longer exists. */
  | { readonly of: "account"; readonly accountId: string; readonly deleted: boolean };

const OWN_SESSION = /^\/api\/v1\/session\/[^/]+\/?$/;
const USER = /^\/api\/v1\/admin\/user\/(update|changepassword|delete)\/([^/]+)\/?$/;

/**
 * Return the tokens that a successful call may have revoked (AUTH-4). A logout, or the end of another
 * session, concerns the caller's account. A change, deletion or new password of a user concerns that user's.
 * Null: none.
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
    // An id that is invalid UTF-8 belongs to no account: the API has interpreted it differently.
    return null;
  }
}

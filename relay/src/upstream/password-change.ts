import { apiPath } from "@mulkko/shared/rest/routes";

/** Whose password a call has changed. */
export type PasswordChange =
  | { readonly of: "caller" }
  | { readonly of: "account"; readonly accountId: string };

const CHANGE = /^\/api\/v1\/admin\/user\/changepassword\/([^/]+)\/?$/;

/** Return whose password a successful write to this path has changed; null for every other path. */
export function passwordChangeOf(path: string): PasswordChange | null {
  if (path === apiPath.ownPassword) return { of: "caller" };
  const id = CHANGE.exec(path)?.[1];
  if (id === undefined) return null;
  try {
    return { of: "account", accountId: decodeURIComponent(id) };
  } catch {
    // An id that is no UTF-8 is nobody's: the API has taken it for something else.
    return null;
  }
}

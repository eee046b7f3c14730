import { apiPath } from "@mulkko/shared/rest/routes";

/** The account whose password a call has changed. */
export type PasswordChange =
  | { readonly of: "caller" }
  | { readonly of: "account"; readonly accountId: string };

const CHANGE = /^\/api\/v1\/admin\/user\/changepassword\/([^/]+)\/?$/;

/**
 * Return the account whose password a successful write to this path has changed; null for every other path.
 */
export function passwordChangeOf(path: string): PasswordChange | null {
  if (path === apiPath.ownPassword) return { of: "caller" };
  const id = CHANGE.exec(path)?.[1];
  if (id === undefined) return null;
  try {
    return { of: "account", accountId: decodeURIComponent(id) };
  } catch {
    // An id that is invalid UTF-8 belongs to no account: the API has interpreted it differently.
    return null;
  }
}

const CHANGE = /^\/api\/v1\/admin\/user\/changepassword\/([^/]+)\/?$/;

/** The account whose password a successful write to this path has changed; null for every other path. */
export function passwordChangeOf(path: string): string | null {
  const id = CHANGE.exec(path)?.[1];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    // An id that is no UTF-8 is nobody's: the API has taken it for something else.
    return null;
  }
}

import { Transform } from "node:stream";
import { accountLogout, ownPassword } from "@mulkko/shared/rest/operations/account";
import { Id } from "@mulkko/shared/schema/id";
import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";

const OWN_SESSION = /^\/api\/v1\/session\/[^/]+\/?$/;
const USER = /^\/api\/v1\/admin\/user\/(update|changepassword|delete)\/([^/]+)\/?$/;

/** Return the id in a path. An id that is invalid UTF-8 belongs to no account: the API has read it otherwise. */
function decoded(id: string): string | null {
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}

/** Return what an administrator's write does with which user; null for every other path. */
function userWrite(path: string): { readonly action: string; readonly accountId: string } | null {
  const [, action, id] = USER.exec(path) ?? [];
  const accountId = id === undefined ? null : decoded(id);
  return action === undefined || accountId === null ? null : { action, accountId };
}

/** The account whose password a call has changed. */
export type PasswordChange =
  | { readonly of: "caller" }
  | { readonly of: "account"; readonly accountId: string };

/**
 * Return the account whose password a successful write to this path has changed; null for every other path.
 */
export function passwordChangeOf(path: string): PasswordChange | null {
  if (path === ownPassword.path) return { of: "caller" };
  const write = userWrite(path);
  return write?.action === "changepassword" ? { of: "account", accountId: write.accountId } : null;
}

/** The tokens that a call may have revoked. */
export type Revoked =
  | { readonly of: "caller" }
  /** `deleted`: the account no longer exists. */
  | { readonly of: "account"; readonly accountId: string; readonly deleted: boolean };

/**
 * Return the tokens that a successful call may have revoked (AUTH-4). A logout, or the end of another
 * session, concerns the caller's account. A change, deletion or new password of a user concerns that user's.
 * Null: none.
 */
export function revokedBy(method: string, path: string): Revoked | null {
  if (path === accountLogout.path || path === ownPassword.path) return { of: "caller" };
  if (method === "DELETE" && OWN_SESSION.test(path)) return { of: "caller" };
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return null;
  const write = userWrite(path);
  return write && { of: "account", accountId: write.accountId, deleted: write.action === "delete" };
}

/** Number of bytes of a body that are parsed; an administrator's write about a device is far smaller. */
const PARSED_BYTES = 32 * 1024;

const Named = Type.Object({ userId: Id });
const IN_MULTIPART = /name="userId"\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]{1,128})\r?\n/;

/**
 * Return the account that the body of an administrator's write names as a device's owner; null if it names
 * none.
 */
export function accountNamedIn(contentType: string | undefined, body: string): string | null {
  const type = contentType?.toLowerCase() ?? "";
  if (type.startsWith("application/json")) {
    const named = parseJson(Named, body);
    return named.ok ? String(named.value.userId) : null;
  }
  if (type.startsWith("multipart/")) return IN_MULTIPART.exec(body)?.[1] ?? null;
  return new URLSearchParams(body).get("userId") || null;
}

/** Create a pass-through stream that remembers the first bytes. */
export function createBodyMemory(): Transform & { text(): string } {
  const kept: Buffer[] = [];
  let bytes = 0;
  const memory = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (bytes < PARSED_BYTES) kept.push(chunk.subarray(0, PARSED_BYTES - bytes));
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return Object.assign(memory, { text: () => Buffer.concat(kept).toString("utf8") });
}

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

/**
 * Return the kinds of entity that a write to a farm API path may have changed; empty for paths outside the
 * account's devices.
 */
export function changedKindsOf(path: string): readonly ChangedKind[] {
  return BY_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}

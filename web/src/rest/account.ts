import { type AccountUpdateBody, type OwnPasswordBody, SessionEntry } from "@mulkko/shared/rest/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import { ifMatch } from "./bodies.ts";
import type { RestClient } from "./client.ts";
import { imagePathOf } from "./image-answer.ts";

type Id = string | number;

/**
 * Change an account; omitted fields stay.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 412 if it was changed meanwhile, 422 with fields
 */
export async function updateAccount(
  rest: RestClient,
  id: Id,
  body: AccountUpdateBody,
  version?: string | null,
): Promise<void> {
  const path = apiPath.accountUpdate(id);
  await rest.call({ method: "PUT", path, answer: Type.Unknown(), body, headers: ifMatch(version) });
}

/** Set the own picture. @returns its new path; null if the API does not return it */
export async function updateAccountImage(rest: RestClient, file: Blob): Promise<string | null> {
  const answer = await rest.call({
    method: "PUT",
    path: apiPath.accountImage,
    answer: Type.Unknown(),
    file: { name: "image", file },
  });
  return imagePathOf(answer);
}

/**
 * Change the own password (extension `own-password`); every other session ends. @throws ApiError 422 with
 * fields
 */
export async function changeOwnPassword(
  rest: RestClient,
  currentPassword: string,
  newPassword: string,
): Promise<void> {
  const body: OwnPasswordBody = { currentPassword, newPassword, confirmPassword: newPassword };
  await rest.call({ method: "POST", path: apiPath.ownPassword, answer: Type.Unknown(), body });
}

/**
 * Set an account's password as an administrator; every other session of the account ends. @throws ApiError
 * 422 with fields
 */
export async function changePassword(rest: RestClient, id: Id, newPassword: string): Promise<void> {
  await rest.call({
    method: "PUT",
    path: apiPath.adminChangePassword(id),
    answer: Type.Unknown(),
    body: { newPassword, confirmPassword: newPassword },
  });
}

/** Key of {@link fetchSessions}; a change of the password ends other sessions. */
export const SESSIONS = ["sessions"];

/** Fetch the user's own sessions (extension `sessions`). */
export function fetchSessions(rest: RestClient, signal: AbortSignal): Promise<SessionEntry[]> {
  return rest.call({ method: "GET", path: apiPath.sessions, answer: Type.Array(SessionEntry), signal });
}

/** End one of the user's own sessions (extension `sessions`). */
export async function endSession(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "DELETE", path: apiPath.session(id), answer: Type.Unknown() });
}

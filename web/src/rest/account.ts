import { type AccountUpdateBody, type OwnPasswordBody, SessionEntry } from "@mulkko/shared/rest/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";
import { imagePathOf } from "./image-answer.ts";

type Id = string | number;

/** Changes an account; what is left out stays. @throws ApiError 422 with fields */
export async function updateAccount(rest: RestClient, id: Id, body: AccountUpdateBody): Promise<void> {
  await rest.call({ method: "PUT", path: apiPath.accountUpdate(id), answer: Type.Unknown(), body });
}

/** Sets one's own picture. @returns its new path; null where the API does not say it */
export async function updateAccountImage(rest: RestClient, file: Blob): Promise<string | null> {
  const answer = await rest.call({
    method: "PUT",
    path: apiPath.accountImage,
    answer: Type.Unknown(),
    file: { name: "image", file },
  });
  return imagePathOf(answer);
}

/** Change the own password (extension `own-password`); every other sign-in ends. @throws ApiError 422 with fields */
export async function changeOwnPassword(
  rest: RestClient,
  currentPassword: string,
  newPassword: string,
): Promise<void> {
  const body: OwnPasswordBody = { currentPassword, newPassword, confirmPassword: newPassword };
  await rest.call({ method: "POST", path: apiPath.ownPassword, answer: Type.Unknown(), body });
}

/** An administrator's new password; every other sign-in of the account ends. @throws ApiError 422 with fields */
export async function changePassword(rest: RestClient, id: Id, newPassword: string): Promise<void> {
  await rest.call({
    method: "PUT",
    path: apiPath.adminChangePassword(id),
    answer: Type.Unknown(),
    body: { newPassword, confirmPassword: newPassword },
  });
}

/** Where one is signed in (extension `sessions`). */
export function fetchSessions(rest: RestClient, signal: AbortSignal): Promise<SessionEntry[]> {
  return rest.call({ method: "GET", path: apiPath.sessions, answer: Type.Array(SessionEntry), signal });
}

/** Ends one of one's own sign-ins (extension `sessions`). */
export async function endSession(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "DELETE", path: apiPath.session(id), answer: Type.Unknown() });
}

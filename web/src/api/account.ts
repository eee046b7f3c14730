import { Account } from "@mulkko/shared/entities/account";
import { type AccountUpdateBody, type OwnPasswordBody, SessionEntry } from "@mulkko/shared/rest/account";
import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import { type SetupBody, SetupState } from "@mulkko/shared/rest/setup";
import { LogoutCheck, WatchState } from "@mulkko/shared/rest/watch";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";
import { ifMatch, imagePathOf } from "./http.ts";

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

/** Request a mail with a recovery link. The answer does not reveal whether the address is known. */
export async function requestRecovery(rest: RestClient, email: string): Promise<void> {
  await rest.call({ method: "POST", path: apiPath.recover, answer: Type.Unknown(), body: { email } });
}

/**
 * Set a new password with the token of that link. @throws ApiError 4xx the token is used or expired, 422 with
 * fields
 */
export async function confirmRecovery(rest: RestClient, token: string, password: string): Promise<void> {
  const body = { token, password };
  await rest.call({ method: "POST", path: apiPath.recoverConfirm, answer: Type.Unknown(), body });
}

/**
 * Fetch the state of an empty farm that waits for its first administrator; the relay answers if its API
 * cannot.
 */
export function fetchSetup(rest: RestClient, signal: AbortSignal): Promise<SetupState> {
  return rest.call({ method: "GET", path: apiPath.setup, answer: SetupState, signal });
}

/**
 * Create the first administrator. @throws ApiError 403 the code is wrong, 422 a field is, 409 there is one
 * already
 */
export function makeFirstAdministrator(rest: RestClient, body: SetupBody): Promise<Account> {
  return rest.call({ method: "POST", path: apiPath.setup, answer: Account, body });
}

/** Key of {@link fetchWatch}. */
export const WATCH = ["watch"];

/** Fetch whether the relay watches the farm while no user is signed in. */
export function fetchWatch(rest: RestClient, signal: AbortSignal): Promise<WatchState> {
  return rest.call({ method: "GET", path: relayPath.watch, answer: WatchState, signal });
}

/** Stop watching: the relay gives up its own session of this farm. */
export function stopWatching(rest: RestClient): Promise<WatchState> {
  return rest.call({ method: "POST", path: relayPath.stopWatching, answer: WatchState });
}

/** Undo a stop; only if {@link WatchState} allows it. */
export function startWatching(rest: RestClient): Promise<WatchState> {
  return rest.call({ method: "POST", path: relayPath.startWatching, answer: WatchState });
}

/** Maximum wait of a logout for the list of valves to close, ms. */
const CHECK_TIMEOUT_MS = 5_000;

/** Fetch the valves that a logout closes first (CMD-15). */
export function fetchLogoutCheck(rest: RestClient, signal: AbortSignal): Promise<LogoutCheck> {
  return rest.call({
    method: "GET",
    path: relayPath.logout,
    answer: LogoutCheck,
    signal,
    timeoutMs: CHECK_TIMEOUT_MS,
  });
}

import { Account } from "@mulkko/shared/entities/account";
import { type AccountUpdateBody, type OwnPasswordBody, SessionEntry } from "@mulkko/shared/rest/account";
import {
  accountImage,
  accountUpdate,
  ownPassword,
  recoverBegin,
  recoverConfirm,
  sessionEnd,
  sessionList,
  setupBegin,
  setupRead,
} from "@mulkko/shared/rest/operations/account";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import { relayPath } from "@mulkko/shared/rest/routes";
import { type SetupBody, SetupState } from "@mulkko/shared/rest/setup";
import { LogoutCheck, WatchState } from "@mulkko/shared/rest/watch";
import { Type } from "typebox";
import { get, type Id, type RestClient, send } from "./client.ts";
import { closingFirst, type OverValve } from "./closing-first.ts";
import { ifMatch, imagePathOf } from "./http.ts";

/**
 * Change an account; omitted fields stay.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 412 if it was changed meanwhile, 422 with fields
 */
export const updateAccount = (rest: RestClient, id: Id, body: AccountUpdateBody, version?: string | null) =>
  send(rest, { ...callOf(accountUpdate, { id }), body, headers: ifMatch(version) });

/** Set the own picture. @returns its new path; null if the API does not return it */
export async function updateAccountImage(rest: RestClient, file: Blob): Promise<string | null> {
  const answer = await rest.call({
    ...callOf(accountImage, {}),
    answer: Type.Unknown(),
    file: { name: "image", file },
  });
  return imagePathOf(answer);
}

/**
 * Change the own password (extension `own-password`); every other session ends. @throws ApiError 422 with
 * fields
 */
export function changeOwnPassword(
  rest: RestClient,
  currentPassword: string,
  newPassword: string,
  over: OverValve = {},
) {
  const body: OwnPasswordBody = { currentPassword, newPassword, confirmPassword: newPassword };
  return send(rest, { ...callOf(ownPassword, {}), body, ...closingFirst(over) });
}

/** Key of {@link fetchSessions}; a change of the password ends other sessions. */
export const SESSIONS = ["sessions"];

/** Fetch the user's own sessions (extension `sessions`). */
export const fetchSessions = (rest: RestClient, signal: AbortSignal) =>
  get(rest, sessionList.path, Type.Array(SessionEntry), signal);

/** End one of the user's own sessions (extension `sessions`). */
export const endSession = (rest: RestClient, id: Id, over: OverValve = {}) =>
  send(rest, { ...callOf(sessionEnd, { id }), ...closingFirst(over) });

/** Request a mail with a recovery link. The answer does not reveal whether the address is known. */
export const requestRecovery = (rest: RestClient, email: string) =>
  send(rest, { ...callOf(recoverBegin, {}), body: { email } });

/**
 * Set a new password with the token of that link. @throws ApiError 4xx the token is used or expired, 422 with
 * fields
 */
export const confirmRecovery = (rest: RestClient, token: string, password: string) =>
  send(rest, { ...callOf(recoverConfirm, {}), body: { token, password } });

/** Key of {@link fetchSetup} among the queries. */
export const SETUP: readonly string[] = ["setup"];

/**
 * Fetch the state of an empty farm that waits for its first administrator; the relay answers if its API
 * cannot.
 */
export const fetchSetup = (rest: RestClient, signal: AbortSignal) =>
  get(rest, setupRead.path, SetupState, signal);

/**
 * Create the first administrator. @throws ApiError 403 the code is wrong, 422 a field is, 409 there is one
 * already
 */
export const makeFirstAdministrator = (rest: RestClient, body: SetupBody) =>
  rest.call({ ...callOf(setupBegin, {}), answer: Account, body });

/** Key of {@link fetchWatch}. */
export const WATCH = ["watch"];

/** Fetch whether the relay watches the farm while no user is signed in. */
export const fetchWatch = (rest: RestClient, signal: AbortSignal) =>
  get(rest, relayPath.watch, WatchState, signal);

/** Stop watching: the relay gives up its own session of this farm. */
export const stopWatching = (rest: RestClient) =>
  rest.call({ method: "POST", path: relayPath.stopWatching, answer: WatchState });

/** Undo a stop; only if {@link WatchState} allows it. */
export const startWatching = (rest: RestClient) =>
  rest.call({ method: "POST", path: relayPath.startWatching, answer: WatchState });

/** Maximum wait of a logout for the list of valves to close, ms. */
const timeoutMs = 5_000;

/** Fetch the valves that a logout closes first (CMD-15). */
export const fetchLogoutCheck = (rest: RestClient, signal: AbortSignal) =>
  rest.call({ method: "GET", path: relayPath.logout, answer: LogoutCheck, signal, timeoutMs });

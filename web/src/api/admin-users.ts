import {
  TrashedUser,
  UserEntry,
  type UserRegisterBody,
  type UserUpdateBody,
} from "@mulkko/shared/rest/admin-user";
import {
  adminChangePassword,
  adminSerialFree,
  adminTrash,
  adminUser,
  adminUserDelete,
  adminUserRegister,
  adminUserRestore,
  adminUsers,
  adminUserUpdate,
} from "@mulkko/shared/rest/operations/admin";
import { callOf, pathTo } from "@mulkko/shared/rest/operations/operation";
import { Type } from "typebox";
import { get, type Id, type RestClient, send } from "./client.ts";
import { closingFirst, type OverValve } from "./closing-first.ts";
import { ifMatch, onceHeader } from "./http.ts";

/** All accounts. */
export const ALL_USERS = { path: adminUsers.path, row: UserEntry } as const;

/** Fetch one account as an administrator. @throws ApiError 404 it was deleted */
export const fetchUser = (rest: RestClient, id: Id, signal: AbortSignal) =>
  get(rest, pathTo(adminUser, { id }), UserEntry, signal);

/** Add an account, once for its key (CMD-20). @throws ApiError 409 the user name is taken, 422 with fields */
export const registerUser = (rest: RestClient, body: UserRegisterBody, key: string) =>
  send(rest, { ...callOf(adminUserRegister, {}), body, headers: onceHeader(key) });

const Usernames = Type.Array(Type.Object({ username: Type.String() }));

/** Return true if an account has this user name. */
export async function hasUser(rest: RestClient, username: string): Promise<boolean> {
  const users = await rest.call({ ...callOf(adminUsers, {}), answer: Usernames });
  return users.some((user) => user.username === username);
}

/**
 * Change an account; omitted fields stay.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 409 the user name is taken, no administrator would be left, or `valve-open`: the change
 * disables the account, and a valve of it is not reported closed (CMD-15); 412 it was changed meanwhile
 */
export const updateUser = (
  rest: RestClient,
  id: Id,
  body: UserUpdateBody,
  version?: string,
  over: OverValve = {},
) => {
  const { timeoutMs, headers } = closingFirst(over);
  return send(rest, {
    ...callOf(adminUserUpdate, { id }),
    body,
    headers: { ...headers, ...ifMatch(version) },
    timeoutMs,
  });
};

/** Fetch deleted accounts that can still be restored (extension `trash`). */
export const fetchTrash = (rest: RestClient, signal: AbortSignal) =>
  get(rest, adminTrash.path, Type.Array(TrashedUser), signal);

/** Restore an account with its devices from the trash. @throws ApiError 404 it is no longer there */
export const restoreUser = (rest: RestClient, id: Id) => send(rest, { ...callOf(adminUserRestore, { id }) });

/** Delete one device in the trash for good, so that its serial is free. @throws ApiError 404 there is none */
export const freeSerial = (rest: RestClient, serial: string) =>
  send(rest, { ...callOf(adminSerialFree, { serial }) });

/**
 * Delete an account with its devices and their measurements; moves it to the trash if the API has one.
 * @throws ApiError 409 it is the last administrator, or `valve-open`: a valve of the account is not reported
 * closed (CMD-15)
 */
export const deleteUser = (rest: RestClient, id: Id, over: OverValve = {}) =>
  send(rest, { ...callOf(adminUserDelete, { id }), ...closingFirst(over) });

/**
 * Set an account's password as an administrator; every other session of the account ends. @throws ApiError
 * 422 with fields
 */
export function changePassword(rest: RestClient, id: Id, newPassword: string, over: OverValve = {}) {
  const body = { newPassword, confirmPassword: newPassword };
  return send(rest, { ...callOf(adminChangePassword, { id }), body, ...closingFirst(over) });
}

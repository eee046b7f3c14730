import {
  TrashedUser,
  UserEntry,
  type UserRegisterBody,
  type UserUpdateBody,
} from "@mulkko/shared/rest/admin-user";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";
import { ifMatch } from "./http.ts";

type Id = string | number;

/** All accounts. */
export const ALL_USERS = { path: apiPath.adminUsers, row: UserEntry } as const;

/** Fetch one account as an administrator. @throws ApiError 404 it was deleted */
export function fetchUser(rest: RestClient, id: Id, signal: AbortSignal): Promise<UserEntry> {
  return rest.call({ method: "GET", path: apiPath.adminUser(id), answer: UserEntry, signal });
}

/** Add an account. @throws ApiError 409 the user name is taken, 422 with fields */
export async function registerUser(rest: RestClient, body: UserRegisterBody): Promise<void> {
  await rest.call({ method: "POST", path: apiPath.adminUserRegister, answer: Type.Unknown(), body });
}

/**
 * Change an account; omitted fields stay.
 *
 * @param version the version that was read, if the API provides it
 * @throws ApiError 409 the user name is taken, or no administrator would be left; 412 it was changed
 * meanwhile
 */
export async function updateUser(
  rest: RestClient,
  id: Id,
  body: UserUpdateBody,
  version?: string,
): Promise<void> {
  const path = apiPath.adminUserUpdate(id);
  await rest.call({ method: "PUT", path, answer: Type.Unknown(), body, headers: ifMatch(version) });
}

/** Fetch deleted accounts that can still be restored (extension `trash`). */
export function fetchTrash(rest: RestClient, signal: AbortSignal): Promise<TrashedUser[]> {
  return rest.call({ method: "GET", path: apiPath.adminTrash, answer: Type.Array(TrashedUser), signal });
}

/** Restore an account with its devices from the trash. @throws ApiError 404 it is no longer there */
export async function restoreUser(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "POST", path: apiPath.adminUserRestore(id), answer: Type.Unknown() });
}

/**
 * Delete an account with its devices and their measurements; moves it to the trash if the API has one.
 * @throws ApiError 409 it is the last administrator
 */
export async function deleteUser(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "DELETE", path: apiPath.adminUserDelete(id), answer: Type.Unknown() });
}

import {
  TrashedUser,
  UserEntry,
  type UserRegisterBody,
  type UserUpdateBody,
} from "@mulkko/shared/rest/admin-user";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import { ifMatch } from "./bodies.ts";
import type { RestClient } from "./client.ts";

type Id = string | number;

/** All accounts. */
export const ALL_USERS = { path: apiPath.adminUsers, row: UserEntry } as const;

/** One account, for administrators. @throws ApiError 404 it is gone */
export function fetchUser(rest: RestClient, id: Id, signal: AbortSignal): Promise<UserEntry> {
  return rest.call({ method: "GET", path: apiPath.adminUser(id), answer: UserEntry, signal });
}

/** Adds an account. @throws ApiError 409 the user name is taken, 422 with fields */
export async function registerUser(rest: RestClient, body: UserRegisterBody): Promise<void> {
  await rest.call({ method: "POST", path: apiPath.adminUserRegister, answer: Type.Unknown(), body });
}

/**
 * Changes an account; what is left out stays.
 *
 * @param version the one that was read, where the API tells it
 * @throws ApiError 409 the user name is taken, or no administrator would be left; 412 it was changed meanwhile
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

/** Deleted accounts that can still be restored (extension `trash`). */
export function fetchTrash(rest: RestClient, signal: AbortSignal): Promise<TrashedUser[]> {
  return rest.call({ method: "GET", path: apiPath.adminTrash, answer: Type.Array(TrashedUser), signal });
}

/** Takes an account with its devices out of the trash. @throws ApiError 404 it is there no more */
export async function restoreUser(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "POST", path: apiPath.adminUserRestore(id), answer: Type.Unknown() });
}

/** Takes an account away, with its devices and their measurements; where the API has a trash, into that. @throws ApiError 409 it is the last administrator */
export async function deleteUser(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "DELETE", path: apiPath.adminUserDelete(id), answer: Type.Unknown() });
}

import { Account } from "@mulkko/shared/entities/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import { type SetupBody, SetupState } from "@mulkko/shared/rest/setup";
import type { RestClient } from "./client.ts";

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

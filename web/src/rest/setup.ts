import { Account } from "@mulkko/shared/entities/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import { type SetupBody, SetupState } from "@mulkko/shared/rest/setup";
import type { RestClient } from "./client.ts";
import { ApiError } from "./errors.ts";

/** Whether the farm is empty and waits for its first administrator; an API that knows no such call never does. */
export async function fetchSetup(rest: RestClient, signal: AbortSignal): Promise<SetupState> {
  try {
    return await rest.call({ method: "GET", path: apiPath.setup, answer: SetupState, signal });
  } catch (error) {
    if (error instanceof ApiError && !error.temporary) return { needed: false };
    throw error;
  }
}

/** Makes the first administrator. @throws ApiError 403 the code is wrong, 422 a field is, 409 there is one already */
export function makeFirstAdministrator(rest: RestClient, body: SetupBody): Promise<Account> {
  return rest.call({ method: "POST", path: apiPath.setup, answer: Account, body });
}

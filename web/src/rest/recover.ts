import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

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

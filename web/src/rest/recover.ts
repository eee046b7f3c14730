import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

/** Asks for a mail with a link. The answer is the same whether the address is known or not. */
export async function requestRecovery(rest: RestClient, email: string): Promise<void> {
  await rest.call({ method: "POST", path: apiPath.recover, answer: Type.Unknown(), body: { email } });
}

/** Sets a new password by the token of that link. @throws ApiError 4xx the token is used or too old, 422 with fields */
export async function confirmRecovery(rest: RestClient, token: string, password: string): Promise<void> {
  const body = { token, password };
  await rest.call({ method: "POST", path: apiPath.recoverConfirm, answer: Type.Unknown(), body });
}

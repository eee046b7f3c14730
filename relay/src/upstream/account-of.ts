import { Account } from "@mulkko/shared/entities/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { UpstreamClient } from "./client.ts";

/** Return the account of a token, as the farm API reports it now. Rejects with an `UpstreamError`. */
export const accountOf = (
  client: Pick<UpstreamClient, "get">,
  token: string,
  timeoutMs?: number,
): Promise<Account> =>
  client.get(apiPath.accountInfo, Account, {
    token,
    unit: "proof",
    ...(timeoutMs !== undefined && { timeoutMs }),
  });

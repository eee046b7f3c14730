import { Account } from "@mulkko/shared/entities/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { UpstreamClient } from "./client.ts";

/** Whose token it is, as the farm API says now. Rejects with an `UpstreamError`. */
export const accountOf = (client: Pick<UpstreamClient, "get">, token: string): Promise<Account> =>
  client.get(apiPath.accountInfo, Account, { token, unit: "proof" });

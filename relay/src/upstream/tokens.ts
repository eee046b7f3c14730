import { Account } from "@mulkko/shared/entities/account";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import type { UpstreamClient } from "./client.ts";

/** An account whose token the farm API has accepted. */
export interface ProvenAccount {
  readonly account: Account;
  readonly accountId: string;
  /** End of the token, ms UTC. */
  readonly expiresAt: number;
}

/** Reason why a token was not accepted. */
export type ProofFailure = { kind: "rejected" } | { kind: "disabled" } | { kind: "upstream-down" };

/** Proves tokens by `account/info`, and caches the proof for a while (AUTH-3). */
export interface TokenProver {
  prove(token: string): Promise<{ ok: true; proven: ProvenAccount } | { ok: false; failure: ProofFailure }>;
  /** Forget a token after a 401, and end its sessions (AUTH-4). */
  reject(token: string): void;
  onRejected(listener: (token: string) => void): () => void;
  /** Stop trusting the account's tokens, which may have been revoked, until each is proven again. */
  doubt(accountId: string): void;
  onDoubted(listener: (accountId: string) => void): () => void;
  /**
   * Ask the farm API, whatever proof is cached.
   *
   * @param orRemembered use the cached proof while the API cannot be asked
   */
  proveAgain(token: string, orRemembered?: boolean): ReturnType<TokenProver["prove"]>;
}

/** Return the account of a token, as the farm API reports it now. Rejects with an `UpstreamError`. */
export const accountOf = (
  client: Pick<UpstreamClient, "get">,
  token: string,
  ms?: number,
): Promise<Account> =>
  client.get(accountInfo.path, Account, {
    token,
    unit: "proof",
    ...(ms !== undefined && { limits: { ms } }),
  });

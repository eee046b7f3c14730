import type { Account } from "@mulkko/shared/entities/account";

/** An account that the upstream has accepted a token for. */
export interface ProvenAccount {
  readonly account: Account;
  readonly accountId: string;
  /** ms since 1970 UTC at which the token ends. */
  readonly expiresAt: number;
}

/** Why a token was not accepted. */
export type ProofFailure = { kind: "rejected" } | { kind: "disabled" } | { kind: "upstream-down" };

/** Proves tokens by `account/info`, once per token (AUTH-3). */
export interface TokenProver {
  prove(token: string): Promise<{ ok: true; proven: ProvenAccount } | { ok: false; failure: ProofFailure }>;
  /** A 401 to a call that bore the token: it is forgotten, and its sessions end (AUTH-4). */
  reject(token: string): void;
  onRejected(listener: (token: string) => void): () => void;
  /** Tokens of the account may have been revoked: none is believed any more without being asked about again. */
  doubt(accountId: string): void;
  onDoubted(listener: (accountId: string) => void): () => void;
  /** Asks the farm API, whatever is remembered of the token. */
  proveAgain(token: string): ReturnType<TokenProver["prove"]>;
}

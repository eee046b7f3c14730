import type { FastifyHttpProxyOptions } from "@fastify/http-proxy";
import { isFinalStatus } from "@mulkko/shared/rest/final-status";
import { tokenRefresh } from "@mulkko/shared/rest/operations/account";
import type { Consequence } from "@mulkko/shared/rest/operations/table";
import type { WatchService } from "../upstream/account-sessions.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import { bearerOf } from "./caller.ts";
import { pathOf } from "./logging.ts";
import { accountNamedIn } from "./named-in-body.ts";

type ReplyOptions = NonNullable<FastifyHttpProxyOptions["replyOptions"]>;

/** A request in the hooks of the proxy. */
export type ProxiedRequest = Parameters<NonNullable<ReplyOptions["onResponse"]>>[0];

/** Applies what a proxied call changes: in the account that is polled, its tokens, and its displays. */
export interface CallEffects {
  /** Handle an answer of the API, with any status. */
  answered(request: ProxiedRequest, status: number): void;
  /** Handle an answer that did not come or was cut: the request may have been executed. */
  lost(request: ProxiedRequest): void;
}

export interface CallEffectsDeps {
  readonly prover: TokenProver;
  readonly owners: {
    /** Make due what a write to this path changes (POLL-8). @param named the account in its body, or null */
    written(accountId: string, path: string, named?: string | null): void;
  };
  readonly watch: Pick<WatchService, "request">;
  /** Revoke the displays of an account that was deleted or has a new password. */
  readonly endDisplays: (accountId: string) => void;
}

export const READS = ["GET", "HEAD", "OPTIONS"];

export function createCallEffects({ prover, owners, watch, endDisplays }: CallEffectsDeps): CallEffects {
  function answered(request: ProxiedRequest, status: number): void {
    const token = bearerOf(request.headers.authorization);
    const { farmCall } = request;
    // The 401 of a refresh concerns the refresh token, not the bearer's.
    if (token === undefined || farmCall === null || farmCall.operation === tokenRefresh) return;
    if (status === 401) prover.reject(token);
    const ended = farmCall.consequence?.kind === "access" ? farmCall.consequence : null;
    if (ended !== null && status < 300) {
      doubt(ended, token).catch((error: unknown) => {
        request.log.warn(
          { event: "revocation-failed", err: error },
          "failed to invalidate revoked tokens, valid until their end",
        );
      });
    }
    // POLL-8: only a refusal for good proves that the write was not executed.
    if (status >= 400 && !isFinalStatus(status)) wroteMaybe(request, token);
    if (status >= 300 || READS.includes(request.method)) return;
    if (ended?.what === "password") {
      passwordChanged(ended.accountIds?.[0] ?? null, token).catch((error: unknown) => {
        request.log.warn(
          { event: "password-change-failed", err: error },
          "failed to report password change to account owner",
        );
      });
    }
    wroteMaybe(request, token);
  }

  function lost(request: ProxiedRequest): void {
    const token = bearerOf(request.headers.authorization);
    if (token !== undefined) wroteMaybe(request, token);
  }

  function wroteMaybe(request: ProxiedRequest, token: string): void {
    if (READS.includes(request.method)) return;
    written(request, token).catch((error: unknown) => {
      request.log.warn(
        { event: "write-report-failed", err: error },
        "failed to report write to account owner",
      );
    });
  }

  /**
   * End the relay's own session for the account, and its displays, after a password change.
   *
   * @param named null for the caller's own account
   */
  async function passwordChanged(named: string | null, token: string): Promise<void> {
    const accountId = named ?? (await callersAccount(token));
    if (accountId === null) return;
    endDisplays(accountId);
    await watch.request(accountId, "password-changed");
  }

  /** Return the account of a token by its cached proof; null if it is not accepted. */
  async function callersAccount(token: string): Promise<string | null> {
    const proof = await prover.prove(token);
    return proof.ok ? proof.proven.accountId : null;
  }

  /** Doubt the tokens of the accounts whose access may have ended (AUTH-4). */
  async function doubt(ended: Consequence & { kind: "access" }, token: string): Promise<void> {
    const own = ended.accountIds === null ? await callersAccount(token) : null;
    for (const accountId of ended.accountIds ?? (own === null ? [] : [own])) {
      prover.doubt(accountId);
      if (ended.what === "account") endDisplays(accountId);
    }
  }

  /**
   * Report a write to the account's owner (POLL-8). The cached proof makes a request to the API
   * unnecessary.
   */
  async function written(request: ProxiedRequest, token: string): Promise<void> {
    const path = pathOf(request.url);
    const proof = await prover.prove(token);
    const named = request.bodyHead && accountNamedIn(request.bodyHead);
    if (proof.ok) owners.written(proof.proven.accountId, path, named);
    else request.log.debug({ event: "unknown-writer", path }, "write with unknown token");
  }

  return { answered, lost };
}

import type { FastifyHttpProxyOptions } from "@fastify/http-proxy";
import { isFinalStatus } from "@mulkko/shared/rest/final-status";
import { tokenRefresh } from "@mulkko/shared/rest/operations/account";
import type { Consequence } from "@mulkko/shared/rest/operations/table";
import type { AccessEnds } from "../access/access-ends.ts";
import type { TokenProver } from "../access/token-prover.ts";
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
  readonly prover: Pick<TokenProver, "prove" | "reject">;
  readonly owners: {
    /** Make due what a write to this path changes (POLL-8). @param named the account in its body, or null */
    written(accountId: string, path: string, named?: string | null): void;
  };
  readonly ends: Pick<AccessEnds, "called">;
}

export const READS = ["GET", "HEAD", "OPTIONS"];

export function createCallEffects({ prover, owners, ends }: CallEffectsDeps): CallEffects {
  function answered(request: ProxiedRequest, status: number): void {
    const token = bearerOf(request.headers.authorization);
    const { farmCall } = request;
    // The 401 of a refresh concerns the refresh token, not the bearer's.
    if (token === undefined || farmCall === null || farmCall.operation === tokenRefresh) return;
    if (status === 401) prover.reject(token);
    const consequence = farmCall.consequence?.kind === "access" ? farmCall.consequence : null;
    const isRead = READS.includes(request.method);
    if (consequence !== null && status < 300) {
      end(consequence, token, isRead).catch((error: unknown) => {
        request.log.warn(
          { event: "revocation-failed", err: error },
          "failed to invalidate revoked tokens, valid until their end",
        );
      });
    }
    // POLL-8: only a refusal for good proves that the write was not executed.
    if (status >= 400 && !isFinalStatus(status)) wroteMaybe(request, token);
    if (status >= 300 || isRead) return;
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

  /** Return the account of a token by its cached proof; null if it is not accepted. */
  async function callersAccount(token: string): Promise<string | null> {
    const proof = await prover.prove(token);
    return proof.ok ? proof.proven.accountId : null;
  }

  /** Pass on whose access a call has ended (AUTH-4). A read changes no password, whatever its path. */
  async function end(
    { accountIds, what }: Consequence & { kind: "access" },
    token: string,
    isRead: boolean,
  ): Promise<void> {
    const own = accountIds === null ? await callersAccount(token) : null;
    const ended = accountIds ?? (own === null ? [] : [own]);
    ends.called(isRead && what === "password" ? "unknown" : what, ended);
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

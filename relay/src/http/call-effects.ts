import { pipeline, type Readable } from "node:stream";
import type { FastifyHttpProxyOptions } from "@fastify/http-proxy";
import { tokenRefresh } from "@mulkko/shared/rest/operations/account";
import type { WatchService } from "../upstream/account-sessions.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import {
  accountNamedIn,
  adminWrite,
  createBodyMemory,
  type PasswordChange,
  passwordChangeOf,
  type Revoked,
  revokedBy,
} from "../upstream/write-effects.ts";
import { bearerOf } from "./caller.ts";
import { pathOf } from "./logging.ts";

type ReplyOptions = NonNullable<FastifyHttpProxyOptions["replyOptions"]>;

/** A request in the hooks of the proxy. */
export type ProxiedRequest = Parameters<NonNullable<ReplyOptions["onResponse"]>>[0];

/** Applies what a proxied call changes: in the account that is polled, its tokens, and its displays. */
export interface CallEffects {
  /** Handle an answer of the API, with any status. */
  answered(request: ProxiedRequest, status: number): void;
  /** Handle an answer that did not come or was cut: the request may have been executed. */
  lost(request: ProxiedRequest): void;
  /** Pass a body on. That of an administrator's write is read meanwhile: it may name another account. */
  passBody(request: ProxiedRequest, payload: Readable): Readable;
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

/** True for the call whose 401 concerns the refresh token, not the bearer's. */
const isRefresh = (path: string): boolean => path === tokenRefresh.path;

export function createCallEffects({ prover, owners, watch, endDisplays }: CallEffectsDeps): CallEffects {
  const bodies = new WeakMap<object, ReturnType<typeof createBodyMemory>>();

  function answered(request: ProxiedRequest, status: number): void {
    const token = bearerOf(request.headers.authorization);
    const path = pathOf(request.url);
    if (token === undefined || isRefresh(path)) return;
    if (status === 401) prover.reject(token);
    const doubtful = status < 300 ? revokedBy(request.method, path) : null;
    if (doubtful !== null) {
      doubt(doubtful, token).catch((error: unknown) => {
        request.log.warn(
          { event: "revocation-failed", err: error },
          "failed to invalidate revoked tokens, valid until their end",
        );
      });
    }
    // POLL-8: a server error leaves open if the write was executed.
    if (status >= 500) wroteMaybe(request, token, path);
    if (status >= 300 || READS.includes(request.method)) return;
    const changed = passwordChangeOf(path);
    if (changed !== null) {
      passwordChanged(changed, token).catch((error: unknown) => {
        request.log.warn(
          { event: "password-change-failed", err: error },
          "failed to report password change to account owner",
        );
      });
    }
    wroteMaybe(request, token, path);
  }

  function lost(request: ProxiedRequest): void {
    const token = bearerOf(request.headers.authorization);
    if (token !== undefined) wroteMaybe(request, token, pathOf(request.url));
  }

  function wroteMaybe(request: ProxiedRequest, token: string, path: string): void {
    if (READS.includes(request.method)) return;
    written(request, token, path).catch((error: unknown) => {
      request.log.warn(
        { event: "write-report-failed", err: error },
        "failed to report write to account owner",
      );
    });
  }

  /** End the relay's own session for the account, and its displays, after a password change. */
  async function passwordChanged(change: PasswordChange, token: string): Promise<void> {
    const proof = change.of === "account" ? null : await prover.prove(token);
    if (proof && !proof.ok) return;
    const accountId = change.of === "account" ? change.accountId : proof?.proven.accountId;
    if (accountId === undefined) return;
    endDisplays(accountId);
    await watch.request(accountId, "password-changed");
  }

  /**
   * Doubt the tokens of an account (AUTH-4). The cached proof of the caller's token identifies the
   * account.
   */
  async function doubt(whose: Revoked, token: string): Promise<void> {
    if (whose.of === "account") {
      prover.doubt(whose.accountId);
      if (whose.deleted) endDisplays(whose.accountId);
      return;
    }
    const proof = await prover.prove(token);
    if (proof.ok) prover.doubt(proof.proven.accountId);
  }

  /**
   * Report a write to the account's owner (POLL-8). The cached proof makes a request to the API
   * unnecessary.
   */
  async function written(request: ProxiedRequest, token: string, path: string): Promise<void> {
    const proof = await prover.prove(token);
    const named = accountNamedIn(request.headers["content-type"], bodies.get(request)?.text() ?? "");
    if (proof.ok) owners.written(proof.proven.accountId, path, named);
    else request.log.debug({ event: "unknown-writer", path }, "write with unknown token");
  }

  return {
    answered,
    lost,
    passBody(request, payload) {
      if (READS.includes(request.method) || adminWrite(pathOf(request.url)) === null) return payload;
      const memory = createBodyMemory();
      bodies.set(request, memory);
      pipeline(payload, memory, (error) => {
        if (error) request.log.debug({ event: "body-unread", err: error }, "failed to read request body");
      });
      return memory;
    },
  };
}

import { CLOSE } from "@mulkko/shared/live/close-codes";
import { PROTOCOL } from "@mulkko/shared/live/limits";
import type { ErrorCode } from "@mulkko/shared/rest/errors";

/** The reason of a session's end: the fields of `bye`, and an `error` before it if there is one. */
export interface CloseReason {
  readonly code: number;
  readonly reason: string;
  readonly retryAfterMs: number;
  readonly error?: ErrorCode;
}

/** "Try again later" of the WebSocket protocol (RFC 6455): this node or this account is full. */
const TRY_AGAIN_LATER = 1013;

export const closeReason = {
  noHello: { code: CLOSE.token, reason: "no hello within 10 s", retryAfterMs: 1_000 },
  unknownProtocol: {
    code: CLOSE.unknownProtocol,
    reason: `this relay speaks protocol ${PROTOCOL}`,
    retryAfterMs: 0,
    error: "unknown-protocol",
  },
  badMessages: { code: CLOSE.badMessage, reason: "too many bad messages", retryAfterMs: 10_000 },
  tokenRejected: { code: CLOSE.token, reason: "token not accepted", retryAfterMs: 0, error: "token-expired" },
  tokenEnded: { code: CLOSE.token, reason: "token ended", retryAfterMs: 0 },
  revoked: { code: CLOSE.revoked, reason: "token revoked", retryAfterMs: 0, error: "token-expired" },
  otherAccount: { code: CLOSE.token, reason: "token of another account", retryAfterMs: 0 },
  disabled: {
    code: CLOSE.accountDisabled,
    reason: "account disabled",
    retryAfterMs: 0,
    error: "account-disabled",
  },
  upstreamDown: {
    code: CLOSE.upstreamDown,
    reason: "farm API not reachable",
    retryAfterMs: 5_000,
    error: "upstream-down",
  },
  displayRevoked: {
    code: CLOSE.displayRevoked,
    reason: "display revoked",
    retryAfterMs: 0,
    error: "display-revoked",
  },
  displayChanged: { code: CLOSE.displayChanged, reason: "display changed", retryAfterMs: 0 },
  storeDown: {
    code: CLOSE.upstreamDown,
    reason: "the relay's store is unavailable",
    retryAfterMs: 5_000,
    error: "store-down",
  },
  tooSlow: { code: CLOSE.tooSlow, reason: "no message confirmed for 60 s", retryAfterMs: 1_000 },
  tooMany: {
    code: TRY_AGAIN_LATER,
    reason: "too many sessions of this account",
    retryAfterMs: 30_000,
    error: "too-many-requests",
  },
} as const satisfies Record<string, CloseReason>;

export const draining = (retryAfterMs: number): CloseReason => ({
  code: CLOSE.draining,
  reason: "this node is shutting down",
  retryAfterMs,
});

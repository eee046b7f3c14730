import { LIVE_LIMITS } from "@mulkko/shared/live/limits";

/** Limits of the gateway. Those of the live protocol have their names from `shared/live/limits`. */
export type GatewayLimits = { readonly [Name in keyof typeof LIVE_LIMITS]: number } & {
  /** Connections of one address, before and after hello; an IPv6 /64 counts as one. */
  readonly sessionsPerAddress: number;
  /** Sessions of one account. */
  readonly sessionsPerAccount: number;
  /** Connections of this node. */
  readonly sessions: number;
  /** LIVE-3: ms over which the reconnects of a draining node's clients are spread. */
  readonly drainSpreadMs: number;
  /** ms for which a client may receive the last messages before its connection is cut. */
  readonly partingMs: number;
};

export const GATEWAY_LIMITS: GatewayLimits = {
  ...LIVE_LIMITS,
  sessionsPerAddress: 500,
  sessionsPerAccount: 1_000,
  sessions: 20_000,
  drainSpreadMs: 10_000,
  partingMs: 5_000,
};

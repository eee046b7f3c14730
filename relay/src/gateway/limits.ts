import { LIVE_LIMITS } from "@mulkko/shared/live/limits";

/** What the gateway allows; the names of the live protocol's own limits are in `shared/live/limits`. */
export type GatewayLimits = { readonly [Name in keyof typeof LIVE_LIMITS]: number } & {
  /** Connections of one address, said hello or not; an IPv6 /64 counts as one. */
  readonly sessionsPerAddress: number;
  /** Sessions of one account. */
  readonly sessionsPerAccount: number;
  /** Connections of this node. */
  readonly sessions: number;
  /** LIVE-3: ms over which the clients of a draining node are told to come back. */
  readonly drainSpreadMs: number;
  /** ms for which a client may take what was sent before its connection is cut. */
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

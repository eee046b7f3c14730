import { PROTOCOL } from "@mulkko/shared/live/limits";
import type { LinkState } from "../upstream/link-monitor.ts";
import type { ProvenAccount } from "../upstream/tokens.ts";
import type { GatewayContext } from "./context.ts";
import { type Outgoing, outgoing } from "./outgoing.ts";

const iso = (instant: number): string => new Date(instant).toISOString();

/** Return the whole seconds until the token ends, never below 0 (AUTH-1). */
export const ttlOf = (proven: ProvenAccount, now: number): number =>
  Math.max(0, Math.floor((proven.expiresAt - now) / 1_000));

export function welcomeMessage(context: GatewayContext, session: string, proven: ProvenAccount): Outgoing {
  const now = context.clock.now();
  const { node, build, apiTimezone } = context.identity;
  const { account } = proven;
  return outgoing({
    t: "welcome",
    protocol: PROTOCOL,
    session,
    node,
    build,
    serverTime: iso(now),
    ttl: ttlOf(proven, now),
    apiTimezone,
    activeEveryMs: context.limits.activeEveryMs,
    account: {
      id: account.id,
      userType: account.userType ?? "USER",
      timezone: account.timezone ?? apiTimezone,
    },
  });
}

export function linkMessage(state: LinkState): Outgoing {
  const { upstream, mqtt, store, since, heardAt, suspectedOffset, notStoring } = state;
  return outgoing({
    t: "link",
    upstream,
    mqtt,
    store,
    since: iso(since),
    heardAt: heardAt === null ? null : iso(heardAt),
    ...(suspectedOffset !== null && { suspectedOffset: Math.round(suspectedOffset) }),
    ...(notStoring !== null && { notStoring: { fault: notStoring.fault, since: iso(notStoring.since) } }),
  });
}

export function beatMessage(now: number): Outgoing {
  return outgoing({ t: "beat", serverTime: iso(now) });
}

import { LIVE_LIMITS, PROTOCOL } from "@mulkko/shared/live/limits";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { ProvenAccount } from "../access/token-prover.ts";
import type { LinkMonitor, LinkState } from "../upstream/link-monitor.ts";
import { type Outgoing, outgoing } from "./outgoing.ts";

const iso = (instant: number): string => new Date(instant).toISOString();

function linkMessage(state: LinkState): Outgoing {
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

/** The messages in which the relay describes itself and its link to the farm API. */
export interface RelayMessages {
  /** Return the first message of a session; its `ttl` is never below 0 (AUTH-1). */
  welcome(session: string, proven: ProvenAccount, activeEveryMs: number): Outgoing;
  link(): Outgoing;
  /** @param n number of the `ask` that it answers */
  beat(n?: number): Outgoing;
  /** Subscribe to the message of each new state of the link. */
  onLink(listener: (message: Outgoing) => void): () => void;
}

export function createRelayMessages(
  identity: { readonly node: string; readonly build: string; readonly apiTimezone: string },
  link: LinkMonitor,
  clock: Clock,
): RelayMessages {
  const { node, build, apiTimezone } = identity;
  return {
    welcome(session, { account, expiresAt }, activeEveryMs) {
      const now = clock.now();
      return outgoing({
        t: "welcome",
        protocol: PROTOCOL,
        session,
        node,
        build,
        serverTime: iso(now),
        ttl: Math.max(0, Math.floor((expiresAt - now) / 1_000)),
        apiTimezone,
        activeEveryMs,
        askEveryMs: LIVE_LIMITS.askEveryMs,
        account: {
          id: account.id,
          userType: account.userType ?? "USER",
          timezone: account.timezone ?? apiTimezone,
        },
      });
    },
    link: () => linkMessage(link.state),
    beat(n) {
      const { heardAt } = link.state;
      return outgoing({
        t: "beat",
        serverTime: iso(clock.now()),
        ...(n !== undefined && { n }),
        ...(heardAt !== null && { heardAt: iso(heardAt) }),
      });
    },
    onLink: (listener) => link.listen((state) => listener(linkMessage(state))),
  };
}

import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Link } from "@mulkko/shared/live/server-messages";
import type { Quality } from "@mulkko/shared/rules/quality";
import { createStore, type StoreApi } from "zustand/vanilla";

/** ms that a broken connection may take to come back before the page says that it is not live. */
export const RECONNECT_GRACE_MS = 5_000;

/**
 * The link between this screen and the relay, in the words of the page: `starting` (nothing shown yet), `live`,
 * `reconnecting` (broken a moment ago), `notLive` (what stands there is old), `ended` (does not come back by
 * itself; `code` is the relay's close code).
 */
export type ScreenLink =
  | { state: "starting" | "live" | "reconnecting" | "notLive" }
  | { state: "ended"; code: number };

/** All links that the page shows (ONL-4), apart from the devices' own. */
export interface LinkState {
  readonly screen: ScreenLink;
  /** What the relay says of the farm API, the broker and its store; null before it has spoken. */
  readonly relay: Link | null;
  /** Build of the web client that the relay serves (HS-4). */
  readonly servedBuild: string | null;
  readonly apiTimezone: string | null;
  /** While the page is not live: when something was heard last, ms UTC on the server's clock. */
  readonly silentSince: number | null;
  /** This machine's clock is over 30 s off (ONL-3): by how many ms, positive where it is ahead. */
  readonly clockOff: number | null;
  /** There was a moment when every stream was at the present: what is not there since then is none. */
  readonly everSynced: boolean;
  /** What the relay lacks, while it answers and has no values to give; null while it gives them, or does not answer. */
  readonly withheld: Withheld | null;
  /** The code of why the account that is read cannot be had (HS-2); null while it can. */
  readonly refused: string | null;
}
export type Withheld = "upstream-down" | "store-down";
export type LinkStore = StoreApi<LinkState>;

export function createLinkStore(): LinkStore {
  return createStore<LinkState>(() => ({
    screen: { state: "starting" },
    relay: null,
    servedBuild: null,
    apiTimezone: null,
    silentSince: null,
    clockOff: null,
    everSynced: false,
    withheld: null,
    refused: null,
  }));
}

/** What the connection knows of itself; times are ms on the monotonic clock. */
export interface ConnectionFacts {
  readonly now: number;
  /** Connected, and every stream is at the present. */
  readonly synced: boolean;
  /** There was a moment when every stream was. */
  readonly everSynced: boolean;
  readonly startedAt: number;
  /** When something was heard last; null before the first message. */
  readonly heardAt: number | null;
  /** When the connection was lost or first in doubt; null while there is one that answers. */
  readonly lostAt: number | null;
  readonly endedBy: number | null;
  /** The relay has said that it has no values to give, and was heard since. */
  readonly withheld: boolean;
}

/** The link in the words of the page (LIVE-1). */
export function screenLink(facts: ConnectionFacts): ScreenLink {
  if (facts.endedBy !== null) return { state: "ended", code: facts.endedBy };
  const silent = facts.now - (facts.heardAt ?? facts.startedAt);
  if (silent >= LIVE_LIMITS.notLiveMs) return { state: "notLive" };
  if (facts.lostAt !== null && facts.now - facts.lostAt >= RECONNECT_GRACE_MS) return { state: "notLive" };
  if (facts.withheld) return { state: "notLive" };
  if (facts.synced) return { state: "live" };
  return { state: facts.everSynced ? "reconnecting" : "starting" };
}

/**
 * The best quality that a value can have over these links: what is drawn is the worse of the two (ONL-2).
 * Without a store or without a live screen nobody knows; without the farm API and its broker, or while it stores no readings, nothing new comes.
 */
export function linkQuality(state: Pick<LinkState, "screen" | "relay">): Quality {
  if (state.screen.state === "notLive" || state.screen.state === "ended") return "unknown";
  if (state.relay?.store === "down") return "unknown";
  if (state.relay?.upstream === "down" && state.relay.mqtt !== "up") return "late";
  if (state.relay?.notStoring) return "late";
  return "fresh";
}

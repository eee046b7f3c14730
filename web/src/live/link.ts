import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Link } from "@mulkko/shared/live/server-messages";
import { type Trouble, troublesOf } from "@mulkko/shared/rules/link-trouble";
import { type Quality, sourceQuality } from "@mulkko/shared/rules/quality";
import { createStore, type StoreApi } from "zustand/vanilla";

/** Grace time of a broken connection before the page is not live, ms. */
export const RECONNECT_GRACE_MS = 5_000;

/**
 * State of the link between this screen and the relay: `starting` (nothing shown yet), `live`, `reconnecting`
 * (broken a moment ago), `notLive` (the values are outdated), `ended` (does not reconnect by itself; `code`
 * is the relay's close code).
 */
export type ScreenLink =
  | { state: "starting" | "live" | "reconnecting" | "notLive" }
  | { state: "ended"; code: number };

/** State of all links that the page shows (ONL-4), except the devices' own. */
export interface LinkState {
  readonly screen: ScreenLink;
  /**
   * State of the farm API, the broker and the store, as reported by the relay; null before its first report.
   */
  readonly relay: Link | null;
  /** Build of the web client that the relay serves (HS-4). */
  readonly servedBuild: string | null;
  readonly apiTimezone: string | null;
  /** Time of the last message while the page is not live, ms UTC on the server's clock. */
  readonly silentSince: number | null;
  /** Offset of this machine's clock if over 30 s (ONL-3), ms, positive if it is ahead. */
  readonly clockOff: number | null;
  /** True after every stream was up to date once: keys missing since then do not exist. */
  readonly everSynced: boolean;
  /**
   * Missing source of a relay that answers without values; null while it provides them, or does not answer.
   */
  readonly withheld: Withheld | null;
  /** Error code if the viewed account is unavailable (HS-2); null otherwise. */
  readonly refused: string | null;
}
export type Withheld = "upstream-down" | "store-down";

export const isWithheld = (code: string): code is Withheld =>
  code === "upstream-down" || code === "store-down";

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

/** Facts about the connection; times are ms on the monotonic clock. */
export interface ConnectionFacts {
  readonly now: number;
  /** True if connected with every stream up to date. */
  readonly synced: boolean;
  /** True after every stream was up to date once. */
  readonly everSynced: boolean;
  /** Time of the last message, or of the start before the first one. */
  readonly silentSince: number;
  /** Time at which the connection was lost or first in doubt; null while it answers. */
  readonly lostAt: number | null;
  readonly endedBy: number | null;
  /** True if the relay has reported that it has no values, and is still reachable. */
  readonly withheld: boolean;
  /** True while a question of the page is overdue, whatever else arrives. */
  readonly unanswered: boolean;
  /** True while the page was not live before: only what it missed makes it live again. */
  readonly wasNotLive: boolean;
}

/** Return the link's state (LIVE-1). */
export function screenLink(facts: ConnectionFacts): ScreenLink {
  if (facts.endedBy !== null) return { state: "ended", code: facts.endedBy };
  if (facts.now - facts.silentSince >= LIVE_LIMITS.notLiveMs) return { state: "notLive" };
  if (facts.lostAt !== null && facts.now - facts.lostAt >= RECONNECT_GRACE_MS) return { state: "notLive" };
  if (facts.withheld || facts.unanswered) return { state: "notLive" };
  if (facts.synced) return { state: "live" };
  if (facts.wasNotLive) return { state: "notLive" };
  return { state: facts.everSynced ? "reconnecting" : "starting" };
}

/**
 * Return the best quality of a value, or a sum of values, over these links (ONL-2). Without a store or a live
 * screen the quality is unknown; {@link sourceQuality} covers the links behind the relay.
 */
export function linkQuality(state: Pick<LinkState, "screen" | "relay">): Quality {
  if (state.screen.state === "notLive" || state.screen.state === "ended") return "unknown";
  if (state.relay?.store === "down") return "unknown";
  return state.relay === null ? "fresh" : sourceQuality(state.relay);
}

/**
 * If a claim can be made that something is not there, or that all is well (KNOW-1). Otherwise nothing was loaded
 * yet (`loading`), the first connection takes long (`unreached`), or what is shown may have changed (`stale`).
 */
export type Knowledge =
  | { readonly known: true }
  | { readonly known: false; readonly why: "loading" | "unreached" | "stale" };

export const KNOWN: Knowledge = { known: true };
export const LOADING: Knowledge = { known: false, why: "loading" };
const UNREACHED: Knowledge = { known: false, why: "unreached" };
export const STALE: Knowledge = { known: false, why: "stale" };

/** Return if claims about the farm can be made: every link delivers, and all of it was loaded once. */
export function knowledgeOf(state: Pick<LinkState, "screen" | "relay" | "everSynced">): Knowledge {
  const { state: screen } = state.screen;
  if (screen !== "live" && !state.everSynced) return screen === "starting" ? LOADING : UNREACHED;
  const isConnected = screen === "live" || screen === "reconnecting";
  // The lists come from the farm API alone, also where its broker delivers values.
  const isServed = state.relay?.upstream !== "down" && linkQuality(state) === "fresh";
  return isConnected && isServed ? KNOWN : STALE;
}

/** A REST query, as far as a claim depends on it. */
export interface Asked {
  /** Null until the first answer. */
  readonly data: unknown;
  /** The failure of the newest call; null without one. */
  readonly error: unknown;
}

/**
 * Return if a claim about an answer can be made: it was loaded, its newest call worked, and no link has failed
 * since. It needs no live stream: the answer itself is the proof.
 */
export function answerKnowledge({ data, error }: Asked, links: Knowledge): Knowledge {
  if (error !== null) return STALE;
  if (data === null) return LOADING;
  return !links.known && links.why === "stale" ? STALE : KNOWN;
}

/** A reason why values are not live: this screen's own link, or what the relay reports. */
export type LinkTrouble = "ended" | "screen" | Trouble;

/**
 * Return what is wrong with the links, the worst first: every banner names the first one that concerns it
 * (LINK-1). What the relay reported is outdated while it is silent.
 */
export function linkTroubles({
  screen,
  relay,
  withheld,
}: {
  readonly screen: ScreenLink["state"];
  readonly relay: Parameters<typeof troublesOf>[0] | null;
  readonly withheld: Withheld | null;
}): LinkTrouble[] {
  if (screen === "ended") return ["ended"];
  if (screen === "notLive") {
    if (withheld === null) return ["screen"];
    return [withheld === "store-down" ? "store" : "upstream"];
  }
  return relay === null ? [] : troublesOf(relay);
}

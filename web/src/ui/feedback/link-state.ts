/** How one of the three links stands. */
export type LinkState = "up" | "degraded" | "down" | "unknown" | "clock";

/** One link: its state, and how old the last sign over it is, ms; null if there never was one. */
export interface Link {
  readonly state: LinkState;
  readonly ageMs: number | null;
}

/** The three links between a person and a device (ONL-4). */
export interface Links {
  /** Screen to relay. */
  readonly relay: Link;
  /** Relay to farm API and broker. */
  readonly upstream: Link;
  /** The devices: the newest sign of life of any of them. */
  readonly device: Link;
}

const RANK: Readonly<Record<LinkState, number>> = { up: 0, degraded: 1, clock: 2, unknown: 3, down: 4 };

/** The worst of the three: what is true of the whole screen. */
export function worstLink(links: Links): LinkState {
  const states = [links.relay.state, links.upstream.state, links.device.state];
  return states.reduce((worst, state) => (RANK[state] > RANK[worst] ? state : worst), "up");
}

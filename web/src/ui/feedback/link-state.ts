/** How one of the three links stands. */
export type LinkState = "up" | "connecting" | "degraded" | "down" | "unknown" | "clock";

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

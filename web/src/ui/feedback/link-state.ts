/** State of one of the three links. */
export type LinkState = "up" | "connecting" | "degraded" | "down" | "unknown" | "clock";

/** One link: its state and the age of its last sign of life, ms; null if there was none. */
export interface Link {
  readonly state: LinkState;
  readonly ageMs: number | null;
}

/** The three links between a user and a device (ONL-4). */
export interface Links {
  /** Screen to relay. */
  readonly relay: Link;
  /** Relay to farm API and broker. */
  readonly upstream: Link;
  /** The devices: the newest sign of life of any of them. */
  readonly device: Link;
}

import type { StorageFault } from "@mulkko/shared/rest/storage";

/** How the relay, the farm API, its broker and the store stand (ONL-4); `since` and `heardAt` are ms UTC. */
export interface LinkState {
  readonly upstream: "up" | "degraded" | "down" | "clock";
  readonly mqtt: "up" | "down" | "off";
  readonly store: "redis" | "embedded" | "down";
  readonly since: number;
  readonly heardAt: number | null;
  /** ONL-3: ms by which the API's times seem to be ahead of ours (negative: behind); null unless `clock`. */
  readonly suspectedOffset: number | null;
  /** The farm API stores no readings, why, and since when (ms UTC); null while it does, or does not say. */
  readonly notStoring: { readonly fault: StorageFault; readonly since: number } | null;
}

export interface LinkMonitor {
  readonly state: LinkState;
  listen(listener: (state: LinkState) => void): () => void;
}

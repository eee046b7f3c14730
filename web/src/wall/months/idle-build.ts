import type { StoreApi } from "zustand/vanilla";
import type { Timers } from "../../live/timers.ts";
import type { PairingState } from "../pairing/pairing.ts";
import type { DisplayState } from "../session/display-session.ts";

/** How often a screen without a farm asks which client is served, ms. */
export const IDLE_LOOK_MS = 600_000;

export interface IdleBuildParts {
  readonly at: DisplayState["at"];
  readonly pairing: StoreApi<PairingState>;
  readonly timers: Timers;
  /** Asks which client is served, and loads a newer one. */
  readonly look: () => void;
}

/**
 * Looks for a newer client where no relay says that there is one: while the screen waits for its farm, is to be paired,
 * or was taken off. An unpaired one looks as one code gives way to the next: somebody may be typing the one that stands.
 *
 * @returns stops
 */
export function watchIdleBuild({ at, pairing, timers, look }: IdleBuildParts): () => void {
  if (at === "showing") return () => undefined;
  if (at === "unpaired") {
    let shown: string | null = null;
    return pairing.subscribe((state) => {
      if (state.state !== "code" || state.code === shown) return;
      if (shown !== null) look();
      shown = state.code;
    });
  }
  let cancel: () => void = () => undefined;
  const wait = () => {
    cancel = timers.after(IDLE_LOOK_MS, () => {
      look();
      wait();
    });
  };
  wait();
  return () => cancel();
}

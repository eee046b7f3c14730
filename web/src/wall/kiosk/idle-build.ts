import type { Timers } from "@mulkko/shared/rules/clock";
import type { StoreApi } from "zustand/vanilla";
import { every } from "../every.ts";
import type { PairingState } from "../pairing/pairing.ts";
import type { DisplayState } from "../session/display-session.ts";

/** Interval between version checks of a screen without a farm, ms. */
export const IDLE_CHECK_MS = 600_000;

/**
 * Check for a newer client while no relay reports one: while the screen waits for its farm, is unpaired, or
 * is revoked. An unpaired screen checks when its code is replaced: a user may be typing the current one.
 *
 * @param check finds out which client is served, and loads a newer one
 * @returns a function that stops
 */
export function watchIdleBuild(
  at: DisplayState["at"],
  pairing: StoreApi<PairingState>,
  timers: Timers,
  check: () => void,
): () => void {
  if (at === "showing") return () => undefined;
  if (at === "unpaired") {
    let shown: string | null = null;
    return pairing.subscribe((state) => {
      if (state.state !== "code" || state.code === shown) return;
      if (shown !== null) check();
      shown = state.code;
    });
  }
  return every(timers, IDLE_CHECK_MS, check);
}

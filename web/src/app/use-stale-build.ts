import { useCallback, useEffect } from "react";
import { useLink, useLiveSelection } from "../live/hooks.ts";
import { isPageHeld } from "../ui/form/unsaved.ts";
import { BUILD } from "./build.ts";
import {
  HANDS_OFF_MS,
  isAlarmed,
  isCommanding,
  isStaleBuild,
  mayReload,
  RELOADED_KEY,
} from "./stale-build.ts";

/** How often a stale page looks for a quiet moment, ms. */
const LOOK_EVERY_MS = 5_000;

const CHANNELS = ["channel"] as const;
const ALARMS = ["alarm"] as const;

const HANDS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

/** Something is open that a reload would take away. */
function isEditing(): boolean {
  if (isPageHeld() || document.querySelector("dialog[open], [role$=dialog][data-state=open]")) return true;
  const focused = document.activeElement;
  return focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement;
}

/** A newer client that waits for this page to be loaded anew. */
export interface WaitingBuild {
  /** A valve command is under way, and the page must not go before it is known how it ended. */
  readonly commanding: boolean;
  load(): void;
}

/**
 * Reloads the page at the next quiet moment after the relay began to serve a newer client (HS-4).
 *
 * @returns what waits until then, for those who want it now; null while nothing does
 */
export function useStaleBuild(): WaitingBuild | null {
  const served = useLink((link) => link.servedBuild);
  const commanding = useLiveSelection(CHANNELS, ({ channels }) => isCommanding(channels));
  const alarmed = useLiveSelection(ALARMS, ({ alarms }) => isAlarmed(alarms));
  const reloadedFor = sessionStorage.getItem(RELOADED_KEY);
  const stale = isStaleBuild({ own: BUILD, served, reloadedFor });
  const load = useCallback(() => {
    if (served !== null) sessionStorage.setItem(RELOADED_KEY, served);
    window.location.reload();
  }, [served]);
  useEffect(() => {
    if (!stale) return;
    // Whoever has the page before them may be about to press something.
    let touchedAt = performance.now();
    const touch = () => {
      touchedAt = performance.now();
    };
    const look = () => {
      const inHands = !document.hidden && performance.now() - touchedAt < HANDS_OFF_MS;
      const moment = { commanding, alarmed, editing: isEditing(), inHands };
      if (mayReload({ own: BUILD, served, reloadedFor, ...moment })) load();
    };
    for (const name of HANDS) window.addEventListener(name, touch, { passive: true });
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      for (const name of HANDS) window.removeEventListener(name, touch);
    };
  }, [stale, served, reloadedFor, commanding, alarmed, load]);
  return stale ? { commanding, load } : null;
}

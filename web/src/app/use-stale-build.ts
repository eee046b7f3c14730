import { useCallback, useEffect } from "react";
import { isPageHeld } from "../domain/form/unsaved.ts";
import { useLink, useLiveSelection } from "../live/hooks.ts";
import {
  BUILD,
  HANDS_OFF_MS,
  isAlarmed,
  isCommanding,
  isStaleBuild,
  mayReload,
  RELOADED_KEY,
} from "../live/stale-build.ts";

/** Interval between checks of a stale page for a quiet moment, ms. */
const CHECK_EVERY_MS = 5_000;

const CHANNELS = ["channel"] as const;
const ALARMS = ["alarm"] as const;

const HANDS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

/** Return true while something is open that a reload would lose. */
function isEditing(): boolean {
  if (isPageHeld() || document.querySelector("dialog[open], [role$=dialog][data-state=open]")) return true;
  const focused = document.activeElement;
  return focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement;
}

/**
 * Reload the page at the next quiet moment after the relay began to serve a newer client (HS-4).
 *
 * @returns the waiting client, for users who want it now; null without one.
 * `commanding` is true while a valve command is pending: the page must stay until its result is known
 */
export function useStaleBuild(): { readonly commanding: boolean; load(): void } | null {
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
    // A user in front of the page may be about to press something.
    let lastUsedAt = performance.now();
    const noteUse = () => {
      lastUsedAt = performance.now();
    };
    const check = () => {
      const inHands = !document.hidden && performance.now() - lastUsedAt < HANDS_OFF_MS;
      const moment = { commanding, alarmed, editing: isEditing(), inHands };
      if (mayReload({ own: BUILD, served, reloadedFor, ...moment })) load();
    };
    for (const name of HANDS) window.addEventListener(name, noteUse, { passive: true });
    const timer = setInterval(check, CHECK_EVERY_MS);
    return () => {
      clearInterval(timer);
      for (const name of HANDS) window.removeEventListener(name, noteUse);
    };
  }, [stale, served, reloadedFor, commanding, alarmed, load]);
  return stale ? { commanding, load } : null;
}

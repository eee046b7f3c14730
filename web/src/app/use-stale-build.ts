import { useEffect } from "react";
import { useLink, useLiveSelection } from "../live/hooks.ts";
import { BUILD } from "./build.ts";
import { isAlarmed, isCommanding, isStaleBuild, mayReload, RELOADED_KEY } from "./stale-build.ts";

/** How often a stale page looks for a quiet moment, ms. */
const LOOK_EVERY_MS = 5_000;

const CHANNELS = ["channel"] as const;
const ALARMS = ["alarm"] as const;

/** Something is open that a reload would take away. */
function isEditing(): boolean {
  if (document.querySelector("[role=dialog][data-state=open]")) return true;
  const focused = document.activeElement;
  return focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement;
}

/** Reloads the page at the next quiet moment after the relay began to serve a newer client (HS-4). */
export function useStaleBuild(): void {
  const served = useLink((link) => link.servedBuild);
  const commanding = useLiveSelection(CHANNELS, ({ channels }) => isCommanding(channels));
  const alarmed = useLiveSelection(ALARMS, ({ alarms }) => isAlarmed(alarms));
  useEffect(() => {
    const facts = { own: BUILD, served, reloadedFor: sessionStorage.getItem(RELOADED_KEY) };
    if (served === null || !isStaleBuild(facts)) return;
    const look = () => {
      if (!mayReload({ ...facts, commanding, alarmed, editing: isEditing() })) return;
      sessionStorage.setItem(RELOADED_KEY, served);
      window.location.reload();
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [served, commanding, alarmed]);
}

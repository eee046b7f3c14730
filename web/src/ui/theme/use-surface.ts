import { useEffect, useSyncExternalStore } from "react";
import { applySurface, currentSurface, onViewportChange, type Surface } from "./surface.ts";

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-surface"] });
  return () => observer.disconnect();
}

/** The surface, followed as the window changes. */
export function useSurface(): Surface {
  return useSyncExternalStore(subscribe, currentSurface);
}

/** Keeps `<html data-surface>` true for a path; called once, by the app's outermost component. */
export function useSurfaceOf(path: string): void {
  useEffect(() => {
    applySurface(path);
    return onViewportChange(() => applySurface(path));
  }, [path]);
}

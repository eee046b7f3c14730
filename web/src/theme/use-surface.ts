import { useEffect, useSyncExternalStore } from "react";
import { applySurface, currentSurface, onViewportChange, type Surface } from "./surface.ts";

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-surface"] });
  return () => observer.disconnect();
}

/** Return the current surface and follow its changes. */
export function useSurface(): Surface {
  return useSyncExternalStore(subscribe, currentSurface);
}

/** Keep `<html data-surface>` current for a path. Call once, in the app's outermost component. */
export function useSurfaceOf(path: string): void {
  useEffect(() => {
    applySurface(path);
    return onViewportChange(() => applySurface(path));
  }, [path]);
}

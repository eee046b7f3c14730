import { useCallback, useEffect, useSyncExternalStore } from "react";

/** The surface that a page is rendered for. */
type Surface = "phone" | "desktop" | "wall";

/** Viewport of a phone. */
const NARROW = "(max-width: 767px)";

/** Return the surface of a path in a narrow or wide viewport: `/wall` is a wall at any size. */
function surfaceOf(path: string, narrow: boolean): Surface {
  if (path === "/wall" || path.startsWith("/wall/")) return "wall";
  return narrow ? "phone" : "desktop";
}

/** Return the page's current surface. */
export function currentSurface(): Surface {
  const { surface } = document.documentElement.dataset;
  return surface === "wall" || surface === "phone" ? surface : "desktop";
}

/**
 * Set `data-surface` on `<html>` from path and width. Call again when the path changes.
 *
 * Uses the screen's width: a phone's `innerWidth` grows with overflowing content.
 */
export function applySurface(path: string): void {
  document.documentElement.dataset.surface = surfaceOf(path, window.matchMedia(NARROW).matches);
}

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
  const isNarrow = useMedia(NARROW);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width may be another surface
  useEffect(() => applySurface(path), [path, isNarrow]);
}

/** Evaluate a media query such as `(min-width: 75rem)` and follow its changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

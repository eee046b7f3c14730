/** The surface that a page is rendered for. */
export type Surface = "phone" | "desktop" | "wall";

/** Maximum viewport width of a phone, CSS px. */
export const PHONE_MAX_WIDTH = 767;

const NARROW = `(max-width: ${PHONE_MAX_WIDTH}px)`;

/** Return the surface of a path in a narrow or wide viewport: `/wall` is a wall at any size. */
export function surfaceOf(path: string, narrow: boolean): Surface {
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

/** Call back when the viewport crosses the phone's width. @returns a function that unsubscribes */
export function onViewportChange(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Which of the three surfaces a page is drawn for. */
export type Surface = "phone" | "desktop" | "wall";

/** Widest viewport, CSS px, that counts as a phone. */
export const PHONE_MAX_WIDTH = 767;

const NARROW = `(max-width: ${PHONE_MAX_WIDTH}px)`;

/** The surface of a path, in a narrow viewport or a wide one: `/wall` is a wall however small its browser. */
export function surfaceOf(path: string, narrow: boolean): Surface {
  if (path === "/wall" || path.startsWith("/wall/")) return "wall";
  return narrow ? "phone" : "desktop";
}

/** The surface that the page shows now. */
export function currentSurface(): Surface {
  const { surface } = document.documentElement.dataset;
  return surface === "wall" || surface === "phone" ? surface : "desktop";
}

/**
 * Keeps `data-surface` on `<html>` true to path and width. Call again when the path changes.
 *
 * The width is the screen's: a phone's `innerWidth` grows with what is too wide on its page, if only for a moment.
 */
export function applySurface(path: string): void {
  document.documentElement.dataset.surface = surfaceOf(path, window.matchMedia(NARROW).matches);
}

/** Calls back when the viewport crosses the phone's width. @returns stops listening */
export function onViewportChange(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Which of the three surfaces a page is drawn for. */
export type Surface = "phone" | "desktop" | "wall";

/** Widest viewport, CSS px, that counts as a phone. */
export const PHONE_MAX_WIDTH = 767;

/** The surface of a path and a viewport width, CSS px: `/wall` is a wall however small its browser. */
export function surfaceOf(path: string, width: number): Surface {
  if (path === "/wall" || path.startsWith("/wall/")) return "wall";
  return width <= PHONE_MAX_WIDTH ? "phone" : "desktop";
}

/** The surface that the page shows now. */
export function currentSurface(): Surface {
  const { surface } = document.documentElement.dataset;
  return surface === "wall" || surface === "phone" ? surface : "desktop";
}

/** Keeps `data-surface` on `<html>` true to path and width. Call again when the path changes. */
export function applySurface(path: string): void {
  document.documentElement.dataset.surface = surfaceOf(path, window.innerWidth);
}

/** Calls back when the viewport crosses the phone's width. @returns stops listening */
export function onViewportChange(listener: () => void): () => void {
  const query = window.matchMedia(`(max-width: ${PHONE_MAX_WIDTH}px)`);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

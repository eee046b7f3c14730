/** Observes nothing: jsdom lays nothing out, so no size ever changes. */
class StillResizeObserver implements ResizeObserver {
  observe(): void {
    // Sizes do not change here.
  }
  unobserve(): void {
    // Nothing is observed.
  }
  disconnect(): void {
    // Nothing is observed.
  }
}

/** Gives jsdom the parts of a browser that drawn components ask for. */
export function provideBrowserParts(): void {
  globalThis.ResizeObserver ??= StillResizeObserver;
  window.matchMedia ??= (media) => ({
    media,
    matches: false,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  });
}

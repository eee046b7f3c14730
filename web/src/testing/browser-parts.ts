/** Observes nothing: jsdom has no layout, so sizes never change. */
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

/** Give every element a place: a trap of the focus asks for it to find what is visible. */
function provideLayout(): void {
  const place = Object.assign([new DOMRect()], { item: () => new DOMRect() });
  HTMLElement.prototype.getClientRects = () => place;
}

/** Add the browser APIs to jsdom that components need. */
export function provideBrowserParts(): void {
  globalThis.ResizeObserver ??= StillResizeObserver;
  provideLayout();
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

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

/** Opens and closes as a browser does, without the layer above the page: jsdom draws nothing. */
function provideDialogs(): void {
  const { prototype } = HTMLDialogElement;
  prototype.showModal ??= function (this: HTMLDialogElement) {
    this.setAttribute("open", "");
  };
  prototype.close ??= function (this: HTMLDialogElement) {
    this.removeAttribute("open");
  };
}

/** Gives jsdom the parts of a browser that drawn components ask for. */
export function provideBrowserParts(): void {
  globalThis.ResizeObserver ??= StillResizeObserver;
  provideDialogs();
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

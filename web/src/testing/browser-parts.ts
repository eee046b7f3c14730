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

/** Open and close dialogs as a browser does, without a top layer: jsdom renders nothing. */
function provideDialogs(): void {
  const { prototype } = HTMLDialogElement;
  prototype.showModal ??= function (this: HTMLDialogElement) {
    this.setAttribute("open", "");
  };
  prototype.close ??= function (this: HTMLDialogElement) {
    this.removeAttribute("open");
  };
}

/** Add the browser APIs to jsdom that components need. */
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

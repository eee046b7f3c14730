import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applySurface, currentSurface } from "./use-surface.ts";

describe("surface", () => {
  const { matchMedia, innerWidth } = window;
  let screenWidth = 0;
  beforeEach(() => {
    window.matchMedia = (media) =>
      Object.assign(new EventTarget(), {
        media,
        matches: media === "(max-width: 767px)" && screenWidth <= 767,
        onchange: null,
        addListener: () => undefined,
        removeListener: () => undefined,
      });
  });
  afterEach(() => {
    Object.assign(window, { matchMedia, innerWidth });
    delete document.documentElement.dataset.surface;
  });

  it("[spec 9] selects phone up to 767 px, and wall at its own address", () => {
    for (const [width, surface] of [
      [360, "phone"],
      [767, "phone"],
      [768, "desktop"],
    ] as const) {
      screenWidth = width;
      applySurface("/sensors");
      expect(currentSurface()).toBe(surface);
      applySurface("/wall");
      expect(currentSurface()).toBe("wall");
    }
  });

  it("[ui] stays phone while content overflows the page", () => {
    screenWidth = 390;
    Object.assign(window, { innerWidth: 1_560 });
    applySurface("/sensors");
    expect(currentSurface()).toBe("phone");
  });
});

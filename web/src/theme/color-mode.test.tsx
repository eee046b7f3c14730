import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useColorMode } from "./color-mode.ts";

/** Fake media queries: as in the standard, each query is a separate list; exposes the remaining listeners. */
function createMedia() {
  const requests = new Set<{ list: object; listener: unknown }>();
  const real = window.matchMedia;
  let dark = false;
  window.matchMedia = (media) => {
    const list: MediaQueryList = Object.assign(new EventTarget(), {
      media,
      matches: dark,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
      addEventListener: (_type: string, listener: unknown) => void requests.add({ list, listener }),
      removeEventListener(_type: string, listener: unknown) {
        for (const one of requests) if (one.list === list && one.listener === listener) requests.delete(one);
      },
    });
    return list;
  };
  return {
    get requests() {
      return requests.size;
    },
    turn(to: boolean) {
      dark = to;
      for (const { listener } of requests) if (typeof listener === "function") listener();
    },
    restore() {
      window.matchMedia = real;
    },
  };
}

const Shown = () => <p>{useColorMode().dark ? "dark" : "light"}</p>;

describe("color mode", () => {
  let media: ReturnType<typeof createMedia>;
  beforeEach(() => {
    media = createMedia();
  });
  afterEach(() => {
    cleanup();
    media.restore();
    localStorage.clear();
  });

  it("[ui] follows the device's setting and removes its listeners on unmount", async () => {
    for (let visit = 0; visit < 3; visit += 1) {
      const { unmount } = render(<Shown />);
      expect(media.requests).toBe(1);
      unmount();
      expect(media.requests).toBe(0);
    }
    render(<Shown />);
    media.turn(true);
    await screen.findByText("dark");
    media.turn(false);
    await screen.findByText("light");
  });
});

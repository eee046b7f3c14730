import { act, cleanup, fireEvent, render } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import texts from "../i18n/locales/ko/wall.json" with { type: "json" };
import { speakKorean } from "../testing/speak-korean.ts";
import type { Pairing, PairingState } from "./pairing/pairing.ts";
import type { DisplaySession, DisplayState } from "./session/display-session.ts";
import { Wall } from "./Wall.tsx";

const pairing: Pairing = {
  store: createStore<PairingState>(() => ({ state: "asking", unreachable: false })),
  start: () => () => undefined,
};
const sessionAt = (state: DisplayState): DisplaySession => ({
  store: createStore<DisplayState>(() => state),
  start: () => () => undefined,
  paired: () => undefined,
  prove: () => Promise.resolve(null),
  forget: () => undefined,
});
const STATES: readonly DisplayState[] = [
  { at: "starting", unreachable: true },
  { at: "unpaired" },
  { at: "revoked" },
  { at: "suspended" },
];

describe.each(STATES)("a screen without a farm, $at", (state) => {
  let asked: number;
  const cursor = () => document.documentElement.dataset.cursor;
  beforeEach(async () => {
    await speakKorean();
    i18next.addResourceBundle("ko", "wall", texts.wall);
    asked = 0;
    Object.defineProperty(navigator, "wakeLock", {
      configurable: true,
      value: {
        request: () => {
          asked += 1;
          return Promise.resolve({ addEventListener: () => undefined, release: () => Promise.resolve() });
        },
      },
    });
    await act(async () => {
      render(
        <Wall
          session={sessionAt(state)}
          pairing={pairing}
          fetcher={() => Promise.reject(new Error("no answer"))}
          turnMs={null}
        />,
      );
      if (state.at === "unpaired") await import("./pairing/PairingScreen.tsx");
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, "wakeLock");
  });

  it("[wall] keeps the screen on and drifts the frame", () => {
    expect(asked).toBe(1);
    for (const part of [".wall-background__scene", ".wall-background__panel"]) {
      expect(document.querySelector<HTMLElement>(part)?.style.transform).toMatch(/^translate\(/);
    }
  });

  it("[wall] hides its pointer until it moves, and restores it on unmount", () => {
    expect(cursor()).toBe("hidden");
    fireEvent.pointerMove(window);
    expect(cursor()).toBe("shown");
    cleanup();
    expect(cursor()).toBeUndefined();
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { swipeOf, watchSwipes } from "./chart-swipe.ts";

const from = { x: 200, y: 100, at: 0 };

describe("a swipe over a chart", () => {
  it("[log] leftwards leads to the next line, rightwards to the one before", () => {
    expect(swipeOf(from, { x: 100, y: 110, at: 150 })).toBe(1);
    expect(swipeOf(from, { x: 300, y: 90, at: 150 })).toBe(-1);
  });
  it("[log] a short, a steep and a slow one are none", () => {
    expect(swipeOf(from, { x: 170, y: 100, at: 150 })).toBe(0);
    expect(swipeOf(from, { x: 140, y: 200, at: 150 })).toBe(0);
    expect(swipeOf(from, { x: 40, y: 100, at: 900 })).toBe(0);
  });

  describe("of fingers", () => {
    const element = document.createElement("div");
    const steps: number[] = [];
    const stop = watchSwipes(element, (step) => steps.push(step));
    const touch = (name: string, ...places: readonly number[]) => {
      const fingers = places.map((clientX) => ({ clientX, clientY: 100 }));
      const event = new Event(name);
      element.dispatchEvent(Object.assign(event, { touches: fingers, changedTouches: fingers }));
    };
    afterEach(() => {
      steps.length = 0;
    });

    it("[log] one finger swipes, two zoom, and a touch that the page takes for scrolling is none", () => {
      touch("touchstart", 200);
      touch("touchend", 80);
      expect(steps).toEqual([1]);
      touch("touchstart", 200, 260);
      touch("touchend", 80);
      touch("touchstart", 200);
      touch("touchcancel");
      touch("touchend", 80);
      expect(steps).toEqual([1]);
    });
    it("[log] a chart that is gone hears no more", () => {
      stop();
      touch("touchstart", 200);
      touch("touchend", 80);
      expect(steps).toEqual([]);
    });
  });
});

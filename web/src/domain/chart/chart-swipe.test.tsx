import { afterEach, describe, expect, it } from "vitest";
import { swipeOf, watchSwipes } from "./chart-gestures.ts";

const from = { x: 200, y: 100, at: 0 };

describe("swipe over a chart", () => {
  it("[log] selects the next line by a left swipe and the previous one by a right swipe", () => {
    expect(swipeOf(from, { x: 100, y: 110, at: 150 })).toBe(1);
    expect(swipeOf(from, { x: 300, y: 90, at: 150 })).toBe(-1);
  });
  it("[log] ignores short, steep and slow moves", () => {
    expect(swipeOf(from, { x: 170, y: 100, at: 150 })).toBe(0);
    expect(swipeOf(from, { x: 140, y: 200, at: 150 })).toBe(0);
    expect(swipeOf(from, { x: 40, y: 100, at: 900 })).toBe(0);
  });

  describe("fingers", () => {
    const element = document.createElement("div");
    const steps: number[] = [];
    const watching = new AbortController();
    watchSwipes(element, (step) => steps.push(step), watching.signal);
    const touch = (name: string, ...places: readonly number[]) => {
      const fingers = places.map((clientX) => ({ clientX, clientY: 100 }));
      const event = new Event(name);
      element.dispatchEvent(Object.assign(event, { touches: fingers, changedTouches: fingers }));
    };
    afterEach(() => {
      steps.length = 0;
    });

    it("[log] swipes with one finger, zooms with two, and ignores a touch that scrolls the page", () => {
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
    it("[log] stops listening after the chart is removed", () => {
      watching.abort();
      touch("touchstart", 200);
      touch("touchend", 80);
      expect(steps).toEqual([]);
    });
  });
});

import { describe, expect, it } from "vitest";
import { createUnconfirmedWindow } from "./delivery.ts";

describe("createUnconfirmedWindow", () => {
  it("[SLOW-1] admits messages within the window, and a larger message only alone", () => {
    const window = createUnconfirmedWindow(100);
    expect(window.fits(500)).toBe(true);
    window.sent(60);
    expect([window.fits(40), window.fits(41)]).toEqual([true, false]);
  });

  it("[SLOW-1] a returned marker confirms everything before it, and nothing after", () => {
    const window = createUnconfirmedWindow(100);
    window.sent(30);
    const first = window.mark(1_000);
    window.sent(20);
    const second = window.mark(2_000);
    window.sent(10);
    expect([window.outstanding(), window.unmarked(), window.inFlight(), window.oldestMarkAt()]).toEqual([
      60, 10, 2, 1_000,
    ]);
    expect(window.confirm(first)).toBe(true);
    expect([window.outstanding(), window.inFlight(), window.oldestMarkAt()]).toEqual([30, 1, 2_000]);
    expect(window.confirm(second)).toBe(true);
    expect([window.outstanding(), window.inFlight(), window.oldestMarkAt()]).toEqual([10, 0, null]);
  });

  it("[SLOW-1] a later marker also confirms the earlier ones", () => {
    const window = createUnconfirmedWindow(100);
    window.sent(30);
    const first = window.mark(1_000);
    window.sent(30);
    window.confirm(window.mark(1_000));
    expect([window.outstanding(), window.confirm(first)]).toEqual([0, false]);
  });

  it("[SLOW-1] a marker that was never sent confirms nothing", () => {
    const window = createUnconfirmedWindow(100);
    window.sent(30);
    for (const invented of [0, 1, 7, Number.NaN]) expect(window.confirm(invented)).toBe(false);
    expect(window.outstanding()).toBe(30);
  });
});

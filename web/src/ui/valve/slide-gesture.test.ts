import { describe, expect, it } from "vitest";
import { moveSlide, releaseSlide, startSlide } from "./slide-gesture.ts";

const slideTo = (...xs: number[]) => xs.reduce(moveSlide, startSlide(100, 200));

describe("[ConfirmSlide] gesture", () => {
  it("[ConfirmSlide] fires when let go past 85 % of the way, and not before", () => {
    expect(releaseSlide(slideTo(180, 269))).toBe("cancel");
    expect(releaseSlide(slideTo(180, 270))).toBe("fire");
    expect(releaseSlide(slideTo(180, 900))).toBe("fire");
  });
  it("[ConfirmSlide] a slide that comes back before it is let go cancels", () => {
    expect(releaseSlide(slideTo(290, 120))).toBe("cancel");
    expect(releaseSlide(slideTo(290, 100))).toBe("cancel");
  });
  it("[ConfirmSlide] a press that hardly moves is a tap", () => {
    expect(releaseSlide(slideTo(106))).toBe("tap");
    expect(releaseSlide(startSlide(100, 200))).toBe("tap");
  });
  it("[ConfirmSlide] a slide the wrong way goes nowhere and is no tap", () => {
    const slide = slideTo(20);
    expect(slide.fraction).toBe(0);
    expect(releaseSlide(slide)).toBe("cancel");
  });
  it("[ConfirmSlide] a track without room does not fire by itself", () => {
    expect(releaseSlide(startSlide(10, 0))).toBe("tap");
  });
});

import { describe, expect, it } from "vitest";
import { moveSlide, releaseSlide, startSlide } from "./confirm-slide.tsx";

const slideTo = (...xs: number[]) => xs.reduce(moveSlide, startSlide(100, 200));

describe("[ConfirmSlide] gesture", () => {
  it("[ConfirmSlide] confirms on release past 85 % of the track, not before", () => {
    expect(releaseSlide(slideTo(180, 269))).toBe("cancel");
    expect(releaseSlide(slideTo(180, 270))).toBe("fire");
    expect(releaseSlide(slideTo(180, 900))).toBe("fire");
  });
  it("[ConfirmSlide] cancels if the thumb comes back before the release", () => {
    expect(releaseSlide(slideTo(290, 120))).toBe("cancel");
    expect(releaseSlide(slideTo(290, 100))).toBe("cancel");
  });
  it("[ConfirmSlide] treats a press without movement as a tap", () => {
    expect(releaseSlide(slideTo(106))).toBe("tap");
    expect(releaseSlide(startSlide(100, 200))).toBe("tap");
  });
  it("[ConfirmSlide] does not move in the wrong direction, and does not treat that as a tap", () => {
    const slide = slideTo(20);
    expect(slide.fraction).toBe(0);
    expect(releaseSlide(slide)).toBe("cancel");
  });
  it("[ConfirmSlide] does not confirm by itself on a track without space", () => {
    expect(releaseSlide(startSlide(10, 0))).toBe("tap");
  });
});

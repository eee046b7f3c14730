/** Share of the track past which letting go fires. */
export const FIRES_AT = 0.85;

/** CSS px of movement up to which a press still counts as a tap. */
export const TAP_SLOP = 8;

/** A slide under way: where the finger went down, and how far the thumb may travel (CSS px). */
export interface Slide {
  readonly startX: number;
  readonly travel: number;
  /** Furthest from the start so far, CSS px; tells a tap from a slide that came back. */
  readonly reached: number;
  /** Where the thumb stands, 0 to 1. */
  readonly fraction: number;
}

/** What letting go means. */
export type Release = "fire" | "tap" | "cancel";

/** A finger goes down at `x` on a track along which the thumb may travel `travel` px. */
export function startSlide(x: number, travel: number): Slide {
  return { startX: x, travel: Math.max(1, travel), reached: 0, fraction: 0 };
}

/** The finger moves to `x`. Backwards of the start is the start. */
export function moveSlide(slide: Slide, x: number): Slide {
  const distance = x - slide.startX;
  return {
    ...slide,
    reached: Math.max(slide.reached, Math.abs(distance)),
    fraction: Math.min(1, Math.max(0, distance / slide.travel)),
  };
}

/** The finger is lifted: past 85 % fires, hardly moved is a tap, anything else cancels. */
export function releaseSlide(slide: Slide): Release {
  if (slide.fraction >= FIRES_AT) return "fire";
  return slide.reached <= TAP_SLOP ? "tap" : "cancel";
}

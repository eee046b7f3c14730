/** Share of the track past which a release confirms. */
export const FIRES_AT = 0.85;

/** Maximum movement of a tap, CSS px. */
export const TAP_SLOP = 8;

/** A slide in progress: the start position and the thumb's travel distance (CSS px). */
export interface Slide {
  readonly startX: number;
  readonly travel: number;
  /** Maximum distance from the start, CSS px; distinguishes a tap from a slide that came back. */
  readonly reached: number;
  /** Position of the thumb, 0 to 1. */
  readonly fraction: number;
}

/** Meaning of a release. */
export type Release = "fire" | "tap" | "cancel";

/** Start a slide at `x` on a track with a travel distance of `travel` px. */
export function startSlide(x: number, travel: number): Slide {
  return { startX: x, travel: Math.max(1, travel), reached: 0, fraction: 0 };
}

/** Move the finger to `x`. Positions before the start count as the start. */
export function moveSlide(slide: Slide, x: number): Slide {
  const distance = x - slide.startX;
  return {
    ...slide,
    reached: Math.max(slide.reached, Math.abs(distance)),
    fraction: Math.min(1, Math.max(0, distance / slide.travel)),
  };
}

/** Release the slide: past 85 % confirms, little movement is a tap, anything else cancels. */
export function releaseSlide(slide: Slide): Release {
  if (slide.fraction >= FIRES_AT) return "fire";
  return slide.reached <= TAP_SLOP ? "tap" : "cancel";
}

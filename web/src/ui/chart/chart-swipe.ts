/** How far a finger goes at least, CSS px, and how long it takes at most, ms: slower, it reads the crosshair. */
const FAR_PX = 48;
const WITHIN_MS = 500;
/** A swipe goes so much further sideways than up or down. */
const SIDEWAYS = 1.5;

/** Where and when a finger was. */
export interface Touched {
  readonly x: number;
  readonly y: number;
  /** ms */
  readonly at: number;
}

/** Which way a finger swiped: 1 to what follows (leftwards), -1 to what was before, 0 for anything else. */
export function swipeOf(from: Touched, to: Touched): -1 | 0 | 1 {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (Math.abs(dx) < FAR_PX || Math.abs(dx) < SIDEWAYS * Math.abs(dy)) return 0;
  if (to.at - from.at > WITHIN_MS) return 0;
  return dx < 0 ? 1 : -1;
}

/** Calls back for swipes of one finger over an element; two fingers zoom. @returns the end of it */
export function watchSwipes(element: HTMLElement, onSwipe: (step: -1 | 1) => void): () => void {
  let from: Touched | null = null;
  const touched = (finger: Touch, { timeStamp }: TouchEvent): Touched => ({
    x: finger.clientX,
    y: finger.clientY,
    at: timeStamp,
  });
  const start = (event: TouchEvent) => {
    const [finger, second] = event.touches;
    from = finger && !second ? touched(finger, event) : null;
  };
  const end = (event: TouchEvent) => {
    const [finger] = event.changedTouches;
    const step = from && finger ? swipeOf(from, touched(finger, event)) : 0;
    from = null;
    if (step !== 0) onSwipe(step);
  };
  const cancel = () => {
    from = null;
  };
  element.addEventListener("touchstart", start, { passive: true });
  element.addEventListener("touchend", end, { passive: true });
  element.addEventListener("touchcancel", cancel, { passive: true });
  return () => {
    element.removeEventListener("touchstart", start);
    element.removeEventListener("touchend", end);
    element.removeEventListener("touchcancel", cancel);
  };
}

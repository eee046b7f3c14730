/** Minimum distance (CSS px) and maximum duration (ms) of a swipe. A slower finger reads the crosshair. */
const FAR_PX = 48;
const WITHIN_MS = 500;
/** Minimum ratio of horizontal to vertical distance of a swipe. */
const SIDEWAYS = 1.5;

/** Position and time of a touch. */
export interface TouchPoint {
  readonly x: number;
  readonly y: number;
  /** Time, ms. */
  readonly at: number;
}

/** Return the direction of a swipe: 1 for left (next), -1 for right (previous), 0 for anything else. */
export function swipeOf(from: TouchPoint, to: TouchPoint): -1 | 0 | 1 {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (Math.abs(dx) < FAR_PX || Math.abs(dx) < SIDEWAYS * Math.abs(dy)) return 0;
  if (to.at - from.at > WITHIN_MS) return 0;
  return dx < 0 ? 1 : -1;
}

/** Report one-finger swipes over an element; two fingers zoom. @returns a function that stops watching */
export function watchSwipes(element: HTMLElement, onSwipe: (step: -1 | 1) => void): () => void {
  let from: TouchPoint | null = null;
  const touchPoint = (finger: Touch, { timeStamp }: TouchEvent): TouchPoint => ({
    x: finger.clientX,
    y: finger.clientY,
    at: timeStamp,
  });
  const start = (event: TouchEvent) => {
    const [finger, second] = event.touches;
    from = finger && !second ? touchPoint(finger, event) : null;
  };
  const end = (event: TouchEvent) => {
    const [finger] = event.changedTouches;
    const step = from && finger ? swipeOf(from, touchPoint(finger, event)) : 0;
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

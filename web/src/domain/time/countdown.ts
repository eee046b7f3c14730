/** Return whole seconds until an instant, at least 0; null without one. `now` is ms on the server's clock. */
export function secondsLeft(until: string | null, now: number): number | null {
  if (until === null) return null;
  const end = Date.parse(until);
  return Number.isNaN(end) ? null : Math.max(0, Math.ceil((end - now) / 1000));
}

/** Format seconds as a clock: `0:05`, `12:40`, `1:02:03`. */
export function clockText(seconds: number): string {
  const two = (part: number) => `${part}`.padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(Math.floor(seconds) % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

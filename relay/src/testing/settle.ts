import type { FakeTimers } from "./fake-timers.ts";

/** Settle promises that wait only for other promises. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Advance the time timer by timer, and settle after each. */
export async function passTime(timers: FakeTimers, ms: number): Promise<void> {
  await settle();
  let left = ms;
  for (let next = timers.nextInMs; next !== null && next <= left; next = timers.nextInMs) {
    timers.advance(next);
    left -= next;
    await settle();
  }
  timers.advance(left);
  await settle();
}

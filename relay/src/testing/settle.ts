import type { FakeTimers } from "./fake-timers.ts";

/** Lets promises settle that nothing but other promises hold up. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets time pass, timer by timer, each with all that follows from it at once. */
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

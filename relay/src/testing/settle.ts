import type { FakeTimers } from "./fake-timers.ts";

/** Lets promises settle that nothing but other promises hold up. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets time pass in steps, with everything that follows from each. */
export async function passTime(timers: FakeTimers, ms: number, stepMs = ms): Promise<void> {
  await settle();
  for (let left = ms; left > 0; left -= stepMs) {
    timers.advance(Math.min(stepMs, left));
    await settle();
  }
}

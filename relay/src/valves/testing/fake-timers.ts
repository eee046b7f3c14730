import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import type { Timers } from "../../runtime/timers.ts";

/** Timers on a fake clock. Each process under test has its own, and loses all of them when it is killed. */
export interface FakeTimers extends Timers {
  /** Return when the next timer is due on the monotonic clock, or null. */
  nextDue(): number | null;
  /** Run the next timer if it is due; return false if none is. */
  runOne(): boolean;
  killAll(): void;
}

export function createFakeTimers(clock: FakeClock): FakeTimers {
  const pending = new Map<number, { due: number; run: () => void }>();
  let count = 0;
  const first = (): [number, { due: number; run: () => void }] | null => {
    let best: [number, { due: number; run: () => void }] | null = null;
    for (const item of pending) if (best === null || item[1].due < best[1].due) best = item;
    return best;
  };
  return {
    after(ms, run) {
      const id = count++;
      pending.set(id, { due: clock.monotonic() + ms, run });
      return { cancel: () => pending.delete(id) };
    },
    nextDue: () => first()?.[1].due ?? null,
    runOne() {
      const next = first();
      if (next === null || next[1].due > clock.monotonic()) return false;
      pending.delete(next[0]);
      next[1].run();
      return true;
    },
    killAll: () => pending.clear(),
  };
}

/** Settle promises that wait only for other promises. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Advance the time timer by timer, and settle after each. */
export async function passTime(clock: FakeClock, all: readonly FakeTimers[], ms: number): Promise<void> {
  const end = clock.monotonic() + ms;
  await settle();
  for (;;) {
    const dues = all.map((timers) => timers.nextDue() ?? Number.POSITIVE_INFINITY);
    const next = Math.min(...dues);
    if (next > end) break;
    clock.advance(Math.max(0, next - clock.monotonic()));
    for (const timers of all) while (timers.runOne()) await settle();
  }
  clock.advance(Math.max(0, end - clock.monotonic()));
}

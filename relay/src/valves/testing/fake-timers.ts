import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import type { Timers } from "../../ports/timers.ts";

/** Timers on a fake clock. Each process under test gets its own, so that it can be killed with all of them. */
export interface FakeTimers extends Timers {
  /** When the next one is due, on the monotonic clock; null if there is none. */
  nextDue(): number | null;
  /** Runs the next one if it is due; false if none is. */
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

/** Lets promises settle that nothing but other promises hold up. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets time pass, timer by timer, each with all that follows from it at once. */
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

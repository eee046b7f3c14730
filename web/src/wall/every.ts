import type { Timer, Timers } from "@mulkko/shared/rules/clock";

/** Call a function at an interval, first after one interval. @returns a function that stops */
export function every(timers: Timers, ms: number, run: () => void): () => void {
  let timer: Timer;
  const wait = () => {
    timer = timers.after(ms, () => {
      run();
      wait();
    });
  };
  wait();
  return () => timer.cancel();
}

import type { Timer, Timers } from "@mulkko/shared/rules/clock";

/** Time until a motionless pointer is hidden, ms. */
export const CURSOR_MS = 3_000;

/** Report when the pointer should be visible. Call `moved` for each movement. */
export function createCursor(
  timers: Timers,
  show: (shown: boolean) => void,
): { moved(): void; stop(): void } {
  let shown = false;
  let timer: Timer | undefined;
  show(false);
  return {
    moved() {
      timer?.cancel();
      if (!shown) show(true);
      shown = true;
      timer = timers.after(CURSOR_MS, () => {
        shown = false;
        show(false);
      });
    },
    stop: () => timer?.cancel(),
  };
}

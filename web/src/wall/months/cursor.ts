import type { Timers } from "../../live/timers.ts";

/** How long a pointer that does not move is shown, ms. */
export const CURSOR_MS = 3_000;

/** Tells when the pointer is to be seen. `moved` is called with each of its movements. */
export function createCursor(
  timers: Timers,
  show: (shown: boolean) => void,
): { moved(): void; stop(): void } {
  let shown = false;
  let cancel: () => void = () => undefined;
  show(false);
  return {
    moved() {
      cancel();
      if (!shown) show(true);
      shown = true;
      cancel = timers.after(CURSOR_MS, () => {
        shown = false;
        show(false);
      });
    },
    stop: () => cancel(),
  };
}

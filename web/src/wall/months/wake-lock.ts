import type { Timers } from "../../live/timers.ts";

/** How often a lock that is not held is asked for, ms. */
export const ASK_EVERY_MS = 60_000;

/** What of `navigator.wakeLock` is used; missing on a page that came over plain HTTP. */
export interface WakeLocks {
  request(
    type: "screen",
  ): Promise<{ addEventListener(type: "release", listener: () => void): void; release(): Promise<void> }>;
}

/** What of a document is used. */
export interface Visibility {
  readonly visibilityState: string;
  addEventListener(type: "visibilitychange", listener: () => void): void;
  removeEventListener(type: "visibilitychange", listener: () => void): void;
}

/**
 * Keeps the screen on: the lock is lost whenever the page is hidden, and taken anew when it is seen again. One that
 * was refused is asked for each minute: nobody hides a page on a wall and shows it again.
 *
 * @returns gives it back
 */
export function keepAwake(locks: WakeLocks, page: Visibility, timers: Timers): () => void {
  let stopped = false;
  let asking = false;
  let release: (() => void) | null = null;
  let cancel: () => void = () => undefined;
  const take = async () => {
    if (stopped || asking || release !== null || page.visibilityState !== "visible") return;
    asking = true;
    try {
      const lock = await locks.request("screen");
      release = () => void lock.release();
      lock.addEventListener("release", () => {
        release = null;
        void take();
      });
      if (stopped) release();
    } catch {
      // Refused, by a battery that runs low or a page that was just hidden.
    } finally {
      asking = false;
    }
  };
  const look = () => void take();
  const again = () => {
    look();
    cancel = timers.after(ASK_EVERY_MS, again);
  };
  page.addEventListener("visibilitychange", look);
  again();
  return () => {
    stopped = true;
    cancel();
    page.removeEventListener("visibilitychange", look);
    release?.();
  };
}

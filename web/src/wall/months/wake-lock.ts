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
 * Keeps the screen on: the lock is lost whenever the page is hidden, and taken anew when it is seen again.
 *
 * @returns gives it back
 */
export function keepAwake(locks: WakeLocks, page: Visibility): () => void {
  let stopped = false;
  let asking = false;
  let release: (() => void) | null = null;
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
      // Refused, by a battery that runs low or a page that was just hidden: asked for when it is seen the next time.
    } finally {
      asking = false;
    }
  };
  const look = () => void take();
  page.addEventListener("visibilitychange", look);
  look();
  return () => {
    stopped = true;
    page.removeEventListener("visibilitychange", look);
    release?.();
  };
}

import { systemTimers, type Timer, type Timers } from "@mulkko/shared/rules/clock";
import { useEffect, useState } from "react";
import { every } from "../every.ts";

/** Interval between requests for a missing lock, ms. */
export const ASK_EVERY_MS = 60_000;

/** Used part of `navigator.wakeLock`; missing on a page over plain HTTP. */
export interface WakeLocks {
  request(
    type: "screen",
  ): Promise<{ addEventListener(type: "release", listener: () => void): void; release(): Promise<void> }>;
}

/** Used part of a document. */
export interface Visibility {
  readonly visibilityState: string;
  addEventListener(type: "visibilitychange", listener: () => void): void;
  removeEventListener(type: "visibilitychange", listener: () => void): void;
}

/**
 * Keep the screen on. The lock is lost when the page is hidden and taken again when it becomes visible. A
 * refused lock is requested each minute: a wall's page is never hidden and shown again.
 *
 * @returns a function that releases the lock
 */
export function keepAwake(locks: WakeLocks, page: Visibility, timers: Timers): () => void {
  let stopped = false;
  let asking = false;
  let release: (() => void) | null = null;
  const request = async () => {
    if (stopped || asking || release !== null || page.visibilityState !== "visible") return;
    asking = true;
    try {
      const lock = await locks.request("screen");
      release = () => void lock.release();
      lock.addEventListener("release", () => {
        release = null;
        void request();
      });
      if (stopped) release();
    } catch {
      // Refused: by a low battery or a page that was just hidden.
    } finally {
      asking = false;
    }
  };
  const check = () => void request();
  page.addEventListener("visibilitychange", check);
  check();
  const stop = every(timers, ASK_EVERY_MS, check);
  return () => {
    stopped = true;
    stop();
    page.removeEventListener("visibilitychange", check);
    release?.();
  };
}

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

/** Set up any screen on a wall: keep it on and hide the pointer. */
export function useWallScreen(): void {
  const [cursor, setCursor] = useState(false);
  useEffect(() => {
    // A page over plain HTTP has no wake lock; the pairing page says so.
    if ("wakeLock" in navigator) return keepAwake(navigator.wakeLock, document, systemTimers);
  }, []);
  useEffect(() => {
    const shown = createCursor(systemTimers, setCursor);
    window.addEventListener("pointermove", shown.moved);
    return () => {
      window.removeEventListener("pointermove", shown.moved);
      shown.stop();
    };
  }, []);
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.cursor = cursor ? "shown" : "hidden";
    return () => {
      delete dataset.cursor;
    };
  }, [cursor]);
}

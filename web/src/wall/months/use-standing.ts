import { useEffect, useState } from "react";
import { browserTimers } from "../../live/timers.ts";
import { createCursor } from "./cursor.ts";
import { keepAwake } from "./wake-lock.ts";

/** What a screen wants that hangs on a wall, whatever it shows: it stays awake, and has no pointer in its middle. */
export function useStanding(): void {
  const [cursor, setCursor] = useState(false);
  useEffect(() => {
    // A page that came over plain HTTP has none; the pairing page says so.
    if ("wakeLock" in navigator) return keepAwake(navigator.wakeLock, document, browserTimers);
  }, []);
  useEffect(() => {
    const shown = createCursor(browserTimers, setCursor);
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

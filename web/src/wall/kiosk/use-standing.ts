import { systemTimers } from "@mulkko/shared/rules/clock";
import { useEffect, useState } from "react";
import { createCursor } from "./cursor.ts";
import { keepAwake } from "./wake-lock.ts";

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

import { useEffect, useState } from "react";
import { useFirstSync } from "../live/hooks.ts";

/**
 * False for the first drawing of a page that comes with the start of the whole client, true after a task of its own:
 * what is further down is drawn once the upper part stands, and a press is heard between the two. A page that is
 * opened later is drawn at once.
 */
export function useSecondTask(): boolean {
  const starting = useFirstSync() === "waiting";
  const [due, setDue] = useState(!starting);
  useEffect(() => {
    if (due) return;
    // Behind the layout of what stands, and where nobody looks and nothing is drawn all the same.
    let timer = setTimeout(() => setDue(true), PATIENCE_MS);
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      timer = setTimeout(() => setDue(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [due]);
  return due;
}

/** A window that nobody sees draws no pictures, ms. */
const PATIENCE_MS = 500;

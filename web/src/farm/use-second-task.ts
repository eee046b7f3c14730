import { useEffect, useState } from "react";
import { useFirstSync } from "../live/hooks.ts";

/**
 * Return false for the first render of the client's first page, and true in a later task. The page shows its
 * upper part first and can handle clicks before it renders the rest. A page opened later renders in one pass.
 */
export function useSecondTask(): boolean {
  const starting = useFirstSync() === "waiting";
  const [due, setDue] = useState(!starting);
  useEffect(() => {
    if (due) return;
    // Wait for the layout of the upper part; the timeout covers windows that are not painted.
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

/** Timeout for a hidden window, which has no animation frames, ms. */
const PATIENCE_MS = 500;

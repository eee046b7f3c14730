import type { LiveReading } from "@mulkko/shared/live/devices";
import { useEffect } from "react";
import { useOnCaughtUp } from "../../live/hooks.ts";
import type { LogSource } from "./source.ts";
import { useLiveReading } from "./use-live-reading.ts";

export interface LiveFeedProps {
  source: LogSource;
  /** `at` is when it was measured, an instant. */
  onReading: (source: LogSource, reading: LiveReading, at: string) => void;
  /** Values were skipped: the charts may have a hole (SUB-5). */
  onCaughtUp: () => void;
}

/** Hears one source for the charts; draws nothing, so that a reading draws no page. */
export function LiveFeed({ source, onReading, onCaughtUp }: LiveFeedProps) {
  const { reading, at, key } = useLiveReading(source);
  useOnCaughtUp(key, onCaughtUp);
  useEffect(() => {
    if (reading !== null && at !== null) onReading(source, reading, at);
  }, [source, reading, at, onReading]);
  return null;
}

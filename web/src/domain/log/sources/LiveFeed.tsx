import type { LiveReading } from "@mulkko/shared/live/devices";
import { useEffect } from "react";
import { useOnCaughtUp } from "../../../live/hooks.ts";
import type { LogSource } from "./source.ts";
import { useLiveReading } from "./use-live-reading.ts";

export interface LiveFeedProps {
  source: LogSource;
  /** `at` is the time of the measurement, an instant. */
  onReading: (source: LogSource, reading: LiveReading, at: string) => void;
  /** Called when values were skipped: the charts may have a gap (SUB-5). */
  onCaughtUp: () => void;
}

/** Subscribe to one source for the charts. It renders nothing, so that a reading does not render the page. */
export function LiveFeed({ source, onReading, onCaughtUp }: LiveFeedProps) {
  const { measured, at, key } = useLiveReading(source);
  useOnCaughtUp(key, onCaughtUp);
  useEffect(() => {
    if (measured !== null && at !== null) onReading(source, measured, at);
  }, [source, measured, at, onReading]);
  return null;
}

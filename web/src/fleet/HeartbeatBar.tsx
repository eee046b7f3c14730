import { memo } from "react";
import { beatGradient, beatRuns, heardShare } from "./beat-runs.ts";
import { useBeats } from "./beats.ts";
import "./heartbeat-bar.css";

interface HeartbeatBarProps {
  /** Its key in the `fleet` stream. */
  readonly deviceKey: string;
  /** What it says to a screen reader. @param share of the half-hours in which it was heard, 0 to 1; null: unseen */
  readonly words: (share: number | null) => string;
}

/**
 * The half-hours of the last 48 h in which a device was heard, the present one last. What was heard is tall, silence
 * low, and where nobody looked there is nothing.
 */
export const HeartbeatBar = memo(function HeartbeatBar({ deviceKey, words }: HeartbeatBarProps) {
  const beats = useBeats(deviceKey);
  const runs = beats === undefined ? [] : beatRuns(beats);
  return (
    <span
      className="heartbeat"
      role="img"
      aria-label={words(beats === undefined ? null : heardShare(beats))}
      style={{
        backgroundImage: [
          beatGradient(runs, "silent", "var(--heartbeat-silent)"),
          beatGradient(runs, "heard", "var(--heartbeat-heard)"),
          "var(--heartbeat-foot)",
        ].join(),
      }}
    />
  );
});

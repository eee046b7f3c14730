import { memo } from "react";
import { useActivity } from "./activity-store.ts";
import { beatGradient, beatRuns, reportedShare } from "./beat-runs.ts";
import "./heartbeat-bar.css";

interface HeartbeatBarProps {
  /** Its key in the `fleet` stream. */
  readonly deviceKey: string;
  /**
   * Return the text for screen readers. @param share of the half-hours with reports, 0 to 1; null if
   * unobserved
   */
  readonly words: (share: number | null) => string;
}

/**
 * Show the half-hours of the last 48 h with reports from a device, the current one last. A report is a tall
 * bar, silence a low one, and an unobserved slot is empty.
 */
export const HeartbeatBar = memo(function HeartbeatBar({ deviceKey, words }: HeartbeatBarProps) {
  const beats = useActivity(deviceKey);
  const runs = beats === undefined ? [] : beatRuns(beats);
  return (
    <span
      className="heartbeat"
      role="img"
      aria-label={words(beats === undefined ? null : reportedShare(beats))}
      style={{
        backgroundImage: [
          beatGradient(runs, "silent", "var(--heartbeat-silent)"),
          beatGradient(runs, "reported", "var(--heartbeat-heard)"),
          "var(--heartbeat-foot)",
        ].join(),
      }}
    />
  );
});

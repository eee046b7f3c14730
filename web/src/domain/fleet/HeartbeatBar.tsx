import "./heartbeat-bar.css";
import { memo } from "react";
import { useActivity } from "./activity-store.ts";

/** Kind of a run in a heartbeat bar: with reports, silent, or unobserved. */
type BeatKind = "reported" | "silent" | "unseen";

/** Consecutive slots of one kind; `from` is the first of them, 0 the oldest. */
interface BeatRun {
  readonly kind: BeatKind;
  readonly from: number;
  readonly count: number;
}

const kindOf = (slot: string): BeatKind => (slot === "1" ? "reported" : slot === "0" ? "silent" : "unseen");

/** Return the runs of a bar. @param beats one character per slot, see `Beats` */
export function beatRuns(beats: string): BeatRun[] {
  return [...beats.matchAll(/1+|0+|[^01]+/g)].map(({ 0: run, index }) => ({
    kind: kindOf(run.charAt(0)),
    from: index,
    count: run.length,
  }));
}

/**
 * Return the runs of one kind as a CSS gradient from left to right, transparent elsewhere. A board has
 * hundreds of bars: a gradient paints many times faster than an SVG path.
 *
 * @param colour CSS colour
 */
export function beatGradient(runs: readonly BeatRun[], kind: BeatKind, colour: string): string {
  const slots = runs.reduce((sum, { count }) => sum + count, 0);
  const stops = runs.map(({ kind: own, from, count }) => {
    const end = Math.round(((from + count) / slots) * 100_000) / 1_000;
    // A stop at 0 begins where the previous one ends.
    return `${own === kind ? colour : "#0000"} 0 ${end}%`;
  });
  return stops.length === 0 ? "none" : `linear-gradient(90deg, ${stops.join(", ")})`;
}

/** Return the share of observed slots with reports, 0 to 1; null if no slot was observed. */
export function reportedShare(beats: string): number | null {
  const reported = beats.replaceAll(/[^1]/g, "").length;
  const seen = beats.replaceAll(/[^01]/g, "").length;
  return seen === 0 ? null : reported / seen;
}

interface HeartbeatBarProps {
  /** Key in the `fleet` stream. */
  readonly deviceKey: string;
  /**
   * Return the text for screen readers. @param share of the half-hours with reports, 0 to 1; null if
   * unobserved
   */
  readonly texts: (share: number | null) => string;
}

/**
 * Show the half-hours of the last 48 h with reports from a device, the current one last. A report is a tall
 * bar, silence a low one, and an unobserved slot is empty.
 */
export const HeartbeatBar = memo(function HeartbeatBar({ deviceKey, texts }: HeartbeatBarProps) {
  const beats = useActivity(deviceKey);
  const runs = beats === undefined ? [] : beatRuns(beats);
  return (
    <span
      className="heartbeat"
      role="img"
      aria-label={texts(beats === undefined ? null : reportedShare(beats))}
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

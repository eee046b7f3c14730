/** What a stretch of a heartbeat bar says: heard, silent, or nobody looked. */
export type BeatKind = "heard" | "silent" | "unseen";

/** Slots of one kind in a row; `from` is the first of them, 0 the oldest. */
export interface BeatRun {
  readonly kind: BeatKind;
  readonly from: number;
  readonly count: number;
}

const kindOf = (slot: string): BeatKind => (slot === "1" ? "heard" : slot === "0" ? "silent" : "unseen");

/** The stretches of a bar. @param beats a character a slot, see `Beats` */
export function beatRuns(beats: string): BeatRun[] {
  const runs: BeatRun[] = [];
  let from = 0;
  for (let slot = 1; slot <= beats.length; slot += 1) {
    const kind = kindOf(beats.charAt(from));
    if (slot < beats.length && kindOf(beats.charAt(slot)) === kind) continue;
    runs.push({ kind, from, count: slot - from });
    from = slot;
  }
  return runs;
}

/**
 * The stretches of one kind as a CSS gradient from left to right, with nothing where there are others. Hundreds of
 * bars stand on a board: a gradient is painted many times faster than a drawing with a path.
 *
 * @param colour of CSS
 */
export function beatGradient(runs: readonly BeatRun[], kind: BeatKind, colour: string): string {
  const slots = runs.reduce((sum, { count }) => sum + count, 0);
  const stops = runs.map(({ kind: own, from, count }) => {
    const end = Math.round(((from + count) / slots) * 100_000) / 1_000;
    // A stop at 0 begins where the one before it ends.
    return `${own === kind ? colour : "#0000"} 0 ${end}%`;
  });
  return stops.length === 0 ? "none" : `linear-gradient(90deg, ${stops.join(", ")})`;
}

/** Share of the slots in which somebody looked that something was heard, 0 to 1; null where nobody looked. */
export function heardShare(beats: string): number | null {
  const heard = beats.replaceAll(/[^1]/g, "").length;
  const seen = beats.replaceAll(/[^01]/g, "").length;
  return seen === 0 ? null : heard / seen;
}

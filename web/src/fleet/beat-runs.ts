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

/** The stretches of one kind as a path of rectangles, a unit wide per slot, from `top` to `bottom`. */
export function beatPath(runs: readonly BeatRun[], kind: BeatKind, top: number, bottom: number): string {
  return runs
    .filter((run) => run.kind === kind)
    .map(({ from, count }) => `M${from} ${top}h${count}V${bottom}h${-count}z`)
    .join("");
}

/** Share of the slots in which somebody looked that something was heard, 0 to 1; null where nobody looked. */
export function heardShare(beats: string): number | null {
  const heard = beats.replaceAll(/[^1]/g, "").length;
  const seen = beats.replaceAll(/[^01]/g, "").length;
  return seen === 0 ? null : heard / seen;
}

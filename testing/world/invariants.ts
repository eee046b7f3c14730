import type { ShownValve } from "./phone.ts";
import type { Valve } from "./truth.ts";

/** Numbers of the rules in docs/dev/valve-rules.md. */
export type Invariant = "W-1" | "W-2" | "W-3" | "W-4";

/** A rule that a world broke, and how. */
export interface Violation {
  readonly invariant: Invariant;
  /** Time since the first event could happen, ms. */
  readonly afterMs: number;
  readonly text: string;
}

/** A command that a person gave. */
export interface Press {
  readonly at: number;
  readonly target: 1 | 2;
  readonly valve: Valve;
  readonly commandId: string;
  /** Length of the run that was wanted; 0 for a close. */
  readonly runMs: number;
}

/** Bounds, ms. */
export const BOUNDS = {
  /** W-1: from a report's arrival at the API to the screens. */
  shownMs: 3_000,
  /** W-1: how long a screen stays live after the last thing that could have said otherwise. */
  liveMs: 25_000,
  /** W-1: from the moment in which a page wakes, with what its machine had received before (LIVE-1). */
  wakeMs: 6_000,
  /** W-2: from the press to the valve: the 15 s in which it may be sent, and the 10 s of CMD-4 for its device's clock. */
  openMs: 25_000,
  /** W-3: from the moment in which every line on the way to the valve is well. */
  closeMs: 45_000,
  /** W-4: from the end of the run to the alarm, with the way to the screen. */
  alarmMs: 65_000,
} as const;

/** Trouble on a way, as it is observed: since when it lasts, and when it last ended. */
export class Trouble {
  #since: number | null = null;
  #endedAt = Number.NEGATIVE_INFINITY;

  note(isWell: boolean, now: number): void {
    if (!isWell) this.#since ??= now;
    else if (this.#since !== null) {
      this.#since = null;
      this.#endedAt = now;
    }
  }

  get isOver(): boolean {
    return this.#since === null;
  }

  /** Since when the way has been well without a break; null while it is not. */
  get wellSince(): number | null {
    return this.#since === null ? this.#endedAt : null;
  }

  /** Last instant from which on a screen may still have been left without news. */
  get from(): number {
    return this.#since ?? this.#endedAt;
  }
}

const claimOf = ({ view }: ShownValve): "open" | "closed" | null => {
  if (!view.live) return null;
  if (view.kind === "open" || view.kind === "closed") return view.kind;
  return view.kind === "mismatch" ? view.actual : null;
};

/** Return what a screen says of a valve, in words. */
export function wordsOf({ view }: ShownValve): string {
  switch (view.kind) {
    case "open":
    case "closed":
      return `${view.kind}, live`;
    case "last":
      return `${view.actual} by the last report (${view.why})`;
    case "opening":
    case "closing":
      return `${view.kind}${view.unanswered ? ", no answer" : ""}`;
    case "mismatch":
      return `not ${view.commanded}: ${view.actual ?? "unknown"}${view.live ? ", live" : ""}`;
    case "unknown":
      return "unknown";
  }
}

/** W-1: return how a screen lies about a valve; null where it does not, or is still allowed to. */
export function lieOf(
  shown: ShownValve,
  valve: Valve,
  facts: {
    readonly now: number;
    /** Arrival of the first report of the valve's state at the API; null: none has arrived. */
    readonly reportedAt: number | null;
    /** The way from the API to the screen. */
    readonly way: Trouble;
    /** When the page last woke. */
    readonly wokeAt: number;
    /** Last instant at which the controller could have been believed without a report. */
    readonly believedUntil: number;
  },
): string | null {
  const claim = claimOf(shown);
  const actual = valve.isOpen ? "open" : "closed";
  if (claim === null || claim === actual) return null;
  const { now, reportedAt, way, wokeAt, believedUntil } = facts;
  const since = valve.last?.at ?? 0;
  const knownAt = reportedAt === null ? Math.max(believedUntil, since) : reportedAt;
  const allowedUntil = Math.max(
    knownAt + BOUNDS.shownMs,
    Math.max(way.isOver ? 0 : knownAt, way.from) + BOUNDS.liveMs,
    wokeAt + BOUNDS.wakeMs,
  );
  if (now <= allowedUntil) return null;
  const seconds = Math.round((now - since) / 1_000);
  const known =
    reportedAt === null
      ? "no report has arrived"
      : `reported ${Math.round((now - reportedAt) / 1_000)} s ago`;
  return `said "${claim}, live" while ${valve.name} had been ${actual} for ${seconds} s (${known})`;
}

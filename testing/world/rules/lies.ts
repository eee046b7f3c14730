import type { Valve } from "../devices/truth.ts";
import type { Trouble } from "../network/trouble.ts";
import type { ShownValve } from "../people/phone.ts";
import { BOUNDS, type Bounds } from "../scene/bounds.ts";

/** Return the state that a screen claims to be that of now; null where it claims none. */
export const claimOf = ({ view }: ShownValve): "open" | "closed" | null => {
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
  bounds: Bounds = BOUNDS,
): string | null {
  const claim = claimOf(shown);
  const actual = valve.isOpen ? "open" : "closed";
  if (claim === null || claim === actual) return null;
  const { now, reportedAt, way, wokeAt, believedUntil } = facts;
  const since = valve.last?.at ?? 0;
  const knownAt = reportedAt === null ? Math.max(believedUntil, since) : reportedAt;
  const allowedUntil = Math.max(
    knownAt + bounds.shownMs,
    way.since === null ? way.endedAt + bounds.againMs : Math.max(knownAt, way.since) + bounds.liveMs,
    wokeAt + bounds.wakeMs,
  );
  if (now <= allowedUntil) return null;
  const seconds = Math.round((now - since) / 1_000);
  const known =
    reportedAt === null
      ? "no report has arrived"
      : `reported ${Math.round((now - reportedAt) / 1_000)} s ago`;
  return `said "${claim}, live" while ${valve.name} had been ${actual} for ${seconds} s (${known})`;
}

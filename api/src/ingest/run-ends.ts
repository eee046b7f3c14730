import { FAR_PAST_MS, type StatedEnd } from "../decode/message-time.ts";

/** Longest time from a message to the end of its run, ms: a day, and the lag of a message. */
const LONGEST_RUN_MS = 25 * 3_600_000;
/**
 * Lead of a device's clock, ms, from which the end of its run is corrected: a message takes no negative time, and many
 * clocks count in seconds.
 */
const LEAD_MS = 1_000;
/** One end that was derived from two messages differs by their transit times, ms. */
const ALIKE_MS = 15_000;

/** The judged time of a message that states an end. Times are ms since 1970 UTC. */
export interface EndClock {
  /** Arrival of the message. */
  readonly receivedAt: number;
  /** True where the device states no time, or one that is believed. */
  readonly isBelieved: boolean;
  /** The stated time, where it is believed. */
  readonly ownAt: number | null;
}

interface Placed extends Pick<StatedEnd, "text" | "by"> {
  readonly at: number;
}

/** True if a run may end there that a message from `from` is about; both ms since 1970 UTC. */
export const isPossibleEnd = (at: number, from: number): boolean =>
  at >= from - FAR_PAST_MS && at <= from + LONGEST_RUN_MS;

/**
 * Place the ends of runs, which devices state by their own clocks, on the clock of the API (ORD-7). Where a
 * device's clock is wrong, the end is the arrival of its message and the time that is left by its own clock.
 */
export class RunEnds {
  // Bounded by the registered channels.
  readonly #placed = new Map<string, Placed>();

  /** Return the end of a live message's run, ms since 1970 UTC; null: none, or it cannot be derived. */
  place(channel: string, end: StatedEnd | null, clock: EndClock): number | null {
    const before = this.#placed.get(channel);
    this.#placed.delete(channel);
    if (end === null) return null;
    const derived = derivedEnd(end, clock);
    if (derived === null) return null;
    const isSame =
      before?.text === end.text && (before.by === end.by || Math.abs(before.at - derived) <= ALIKE_MS);
    const at = isSame ? before.at : derived;
    this.#placed.set(channel, { text: end.text, by: end.by, at });
    return at;
  }
}

function derivedEnd({ at, left }: StatedEnd, { receivedAt, isBelieved, ownAt }: EndClock): number | null {
  const isAhead = ownAt !== null && ownAt - receivedAt > LEAD_MS;
  const derived = isBelieved && !isAhead ? at : left === null ? null : receivedAt + left;
  return derived !== null && isPossibleEnd(derived, ownAt ?? receivedAt) ? derived : null;
}

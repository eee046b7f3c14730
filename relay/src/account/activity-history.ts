import { BEAT_SLOTS, beatSlot, type StoredActivity } from "@mulkko/shared/rest/fleet";

/** The half-hours of the last two days in which devices reported. All times are ms UTC. */
export interface ActivityHistory {
  record(key: string, at: number): void;
  /** Mark the current half-hour of a watched device as silent unless the device reported in it. */
  markWatched(key: string): void;
  of(key: string): StoredActivity;
  /** Merge the history of the device that another node has recorded. */
  merge(key: string, others: StoredActivity): void;
  forget(key: string): void;
  /** Return the keys that have changed since the last call, and reset them. */
  takeChanged(): string[];
}

const UNSEEN = "-".repeat(BEAT_SLOTS);
const RANK: Readonly<Record<string, number>> = { "-": 0, "0": 1, "1": 2 };

/** Return the same history, extended to a later half-hour. */
function upTo({ slot, text }: StoredActivity, later: number): StoredActivity {
  if (later <= slot) return { slot, text };
  return {
    slot: later,
    text: `${text}${UNSEEN}`.slice(Math.min(BEAT_SLOTS, later - slot)).slice(0, BEAT_SLOTS),
  };
}

/** @param now ms UTC */
export function createActivityHistory(now: () => number): ActivityHistory {
  const known = new Map<string, StoredActivity>();
  const changed = new Set<string>();

  const current = (key: string): StoredActivity => {
    const slot = beatSlot(now());
    return upTo(known.get(key) ?? { slot, text: UNSEEN }, slot);
  };
  const mark = (key: string, at: number, what: "0" | "1"): void => {
    const { slot, text } = current(key);
    const place = BEAT_SLOTS - 1 - (slot - beatSlot(at));
    const before = text[place];
    if (before === undefined || (RANK[before] ?? 0) >= (RANK[what] ?? 0)) return;
    known.set(key, { slot, text: `${text.slice(0, place)}${what}${text.slice(place + 1)}` });
    changed.add(key);
  };
  return {
    record: (key, at) => mark(key, at, "1"),
    markWatched: (key) => mark(key, now(), "0"),
    of: current,
    merge(key, others) {
      const mine = current(key);
      const theirs = upTo(others, mine.slot);
      // Ignore entries that lie in the future of this clock.
      if (theirs.slot !== mine.slot) return;
      const text = Array.from(mine.text, (mark, at) => {
        const other = theirs.text[at] ?? "-";
        return (RANK[other] ?? 0) > (RANK[mark] ?? 0) ? other : mark;
      }).join("");
      known.set(key, { slot: mine.slot, text });
      if (text !== mine.text) changed.add(key);
    },
    forget(key) {
      known.delete(key);
      changed.delete(key);
    },
    takeChanged() {
      const keys = [...changed];
      changed.clear();
      return keys;
    },
  };
}

import { BEAT_SLOTS, beatSlot, type KeptBeats } from "@mulkko/shared/rest/fleet";

/** In which half-hours of the last two days devices were heard. All times are ms UTC. */
export interface Beats {
  heard(key: string, at: number): void;
  /** Somebody looks at the device now: where it is not heard in this half-hour, it is silent. */
  looked(key: string): void;
  of(key: string): KeptBeats;
  /** Adds what somebody else has seen of the device. */
  merge(key: string, others: KeptBeats): void;
  forget(key: string): void;
  /** Keys that have changed since the last call. */
  takeChanged(): string[];
}

const UNSEEN = "-".repeat(BEAT_SLOTS);
const RANK: Readonly<Record<string, number>> = { "-": 0, "0": 1, "1": 2 };

/** The same beats up to a later half-hour. */
function upTo({ slot, text }: KeptBeats, later: number): KeptBeats {
  if (later <= slot) return { slot, text };
  return {
    slot: later,
    text: `${text}${UNSEEN}`.slice(Math.min(BEAT_SLOTS, later - slot)).slice(0, BEAT_SLOTS),
  };
}

/** @param now ms UTC */
export function createBeats(now: () => number): Beats {
  const known = new Map<string, KeptBeats>();
  const changed = new Set<string>();

  const current = (key: string): KeptBeats => {
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
    heard: (key, at) => mark(key, at, "1"),
    looked: (key) => mark(key, now(), "0"),
    of: current,
    merge(key, others) {
      const mine = current(key);
      const theirs = upTo(others, mine.slot);
      // Of another clock's future nothing is known here.
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

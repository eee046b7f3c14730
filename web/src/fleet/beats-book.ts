import type { Beats } from "@mulkko/shared/rest/fleet";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Timers } from "../live/timers.ts";

/** Devices asked for at once: their ids are an address that every server takes. */
export const BEATS_PAGE = 150;
/** Rows that fly by while somebody scrolls are not asked for, ms. */
const GATHER_MS = 150;
/** A bar is asked for again when it is older, ms; a slot is half an hour. */
export const BEATS_FRESH_MS = 5 * 60_000;
/** How long until an answer that failed is asked for once more, ms. */
const RETRY_MS = 15_000;
/** Bars that are kept for the way back; the oldest that nobody looks at go. */
const BARS_KEPT = 3_000;

/** The heartbeat bars of the devices that are looked at, a page of them per request. */
export interface BeatsBook {
  /** 96 characters, the oldest first, see `Beats`; undefined while it is not known. @param id what follows `device:` */
  get(id: string): string | undefined;
  /** Follows a bar, and asks for it for as long as somebody does. */
  subscribe(id: string, listener: () => void): () => void;
}

export interface BeatsBookParts {
  readonly fetch: (ids: readonly string[]) => Promise<Beats>;
  readonly timers: Timers;
  readonly clock: Pick<Clock, "monotonic">;
}

export function createBeatsBook({ fetch, timers, clock }: BeatsBookParts): BeatsBook {
  const bars = new Map<string, { text: string | undefined; at: number }>();
  const wanted = new Map<string, Set<() => void>>();
  let cancel: (() => void) | null = null;
  let asking = false;

  const isDue = (id: string): boolean => {
    const known = bars.get(id);
    return known === undefined || clock.monotonic() - known.at >= BEATS_FRESH_MS;
  };
  const askIn = (ms: number) => {
    if (asking || cancel || wanted.size === 0) return;
    cancel = timers.after(ms, () => {
      cancel = null;
      void ask();
    });
  };
  const keep = (asked: readonly string[], { beats }: Beats) => {
    const at = clock.monotonic();
    for (const id of asked) {
      const before = bars.get(id)?.text;
      bars.delete(id);
      bars.set(id, { text: beats[id], at });
      if (beats[id] !== before) for (const listener of [...(wanted.get(id) ?? [])]) listener();
    }
    for (const id of bars.keys()) {
      if (bars.size <= BARS_KEPT) break;
      if (!wanted.has(id)) bars.delete(id);
    }
  };
  const ask = async () => {
    const ids = [...wanted.keys()].filter(isDue).slice(0, BEATS_PAGE);
    if (ids.length === 0) {
      askIn(BEATS_FRESH_MS);
      return;
    }
    asking = true;
    let next = GATHER_MS;
    try {
      keep(ids, await fetch(ids));
    } catch {
      // The bars that stand there stay; a board without bars is a board all the same.
      next = RETRY_MS;
    }
    asking = false;
    askIn(next);
  };

  return {
    get: (id) => bars.get(id)?.text,
    subscribe(id, listener) {
      const set = wanted.get(id) ?? new Set();
      wanted.set(id, set);
      set.add(listener);
      if (isDue(id)) {
        cancel?.();
        cancel = null;
        askIn(GATHER_MS);
      } else askIn(BEATS_FRESH_MS);
      return () => {
        set.delete(listener);
        if (set.size > 0 || wanted.get(id) !== set) return;
        wanted.delete(id);
        if (wanted.size > 0) return;
        cancel?.();
        cancel = null;
      };
    },
  };
}

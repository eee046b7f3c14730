import type { Clock } from "@mulkko/shared/rules/clock";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import type { DisplayStore, Sighting } from "../store/display-store.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { DISPLAY_LIMITS } from "./limits.ts";

/** Which displays this node sees: those that hold a socket here, and those that asked for something. */
export interface Sightings {
  /** A display holds a socket here. Returns how to say that it is gone. */
  attend(id: string): () => void;
  asked(id: string): void;
  /** What all nodes have seen. */
  all(): Promise<Map<string, Sighting>>;
  close(): void;
}

export function createSightings(parts: {
  store: Pick<DisplayStore, "sight" | "sightings">;
  clock: Clock;
  timers: Timers;
  log: Log;
}): Sightings {
  const { store, clock, timers, log } = parts;
  const held = new Map<string, number>();
  const unsaid = new Set<string>();
  /** Those of them that held a socket here. */
  const left = new Set<string>();
  let soon: { cancel(): void } | undefined;

  const say = (ids: Iterable<string>): void => {
    const at = clock.now();
    const sighted = [...ids].map((id) => {
      if (held.has(id)) return { id, at, until: at + DISPLAY_LIMITS.heldMs };
      // One that only asks here may hold its socket at another node.
      return { id, at, until: left.has(id) ? 0 : null };
    });
    store.sight(sighted).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) log.error({ err: error }, "sightings of displays");
    });
  };
  const saySoon = (id: string): void => {
    unsaid.add(id);
    soon ??= timers.after(DISPLAY_LIMITS.sightSoonMs, () => {
      soon = undefined;
      say(unsaid);
      unsaid.clear();
      left.clear();
    });
  };
  const again = (): void => {
    if (held.size > 0) say(held.keys());
    timer = timers.after(DISPLAY_LIMITS.sightMs, again);
  };
  let timer = timers.after(DISPLAY_LIMITS.sightMs, again);

  return {
    attend(id) {
      held.set(id, (held.get(id) ?? 0) + 1);
      saySoon(id);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const others = (held.get(id) ?? 1) - 1;
        if (others > 0) held.set(id, others);
        else {
          held.delete(id);
          left.add(id);
        }
        saySoon(id);
      };
    },
    asked: saySoon,
    async all() {
      const known = new Map((await store.sightings()).map((one) => [one.id, one]));
      const now = clock.now();
      for (const id of held.keys()) known.set(id, { id, at: now, until: now + DISPLAY_LIMITS.heldMs });
      return known;
    },
    close() {
      timer.cancel();
      soon?.cancel();
      soon = undefined;
    },
  };
}

import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { Log } from "../runtime/log.ts";
import type { DisplayLastSeen, DisplayStore } from "../store/display-store.ts";
import { notPersisted } from "../store/errors.ts";
import { DISPLAY_LIMITS } from "./limits.ts";

/** The displays that this node sees: those with a socket here, and those that sent a request. */
export interface DisplayActivity {
  /** Note that a display holds a socket here. Returns a function to note its end. */
  attend(id: string): () => void;
  asked(id: string): void;
  /** Return the activity seen by all nodes. */
  all(): Promise<Map<string, DisplayLastSeen>>;
  close(): void;
}

export function createDisplayActivity(deps: {
  store: Pick<DisplayStore, "noteSeen" | "displayActivity">;
  clock: Clock;
  timers: Timers;
  log: Log;
}): DisplayActivity {
  const { store, clock, timers, log } = deps;
  const held = new Map<string, number>();
  const unreported = new Set<string>();
  /** Displays among them that held a socket here. */
  const left = new Set<string>();
  let soon: { cancel(): void } | undefined;

  const report = (ids: Iterable<string>): void => {
    const at = clock.now();
    const seen = [...ids].map((id) => {
      if (held.has(id)) return { id, at, until: at + DISPLAY_LIMITS.heldMs };
      // A display that only sends requests here may hold its socket on another node.
      return { id, at, until: left.has(id) ? 0 : null };
    });
    const fields = { event: "display-activity-not-stored" };
    store.noteSeen(seen).catch(notPersisted(log, "error", fields, "cannot store display activity"));
  };
  const reportSoon = (id: string): void => {
    unreported.add(id);
    soon ??= timers.after(DISPLAY_LIMITS.seenTogetherMs, () => {
      soon = undefined;
      report(unreported);
      unreported.clear();
      left.clear();
    });
  };
  const timer = repeat(timers, DISPLAY_LIMITS.seenEveryMs, () => {
    if (held.size > 0) report(held.keys());
  });

  return {
    attend(id) {
      held.set(id, (held.get(id) ?? 0) + 1);
      reportSoon(id);
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
        reportSoon(id);
      };
    },
    asked: reportSoon,
    async all() {
      const known = new Map((await store.displayActivity()).map((one) => [one.id, one]));
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

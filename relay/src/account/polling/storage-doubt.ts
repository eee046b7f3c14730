import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { OFFLINE_AFTER_MS } from "@mulkko/shared/rules/quality";
import type { LinkMonitor } from "../../upstream/link-monitor.ts";

/**
 * Tracks when the farm API may cause a device's silence (POLL-7). This holds while it stores no readings,
 * and for an hour afterwards, in which each device has yet to report.
 */
export interface StorageDoubt {
  /** True if the farm API may cause the silence of a device with that last report (ms UTC). */
  doubts(heardAt: number): boolean;
  close(): void;
}

/** @param deps.onChanged called when the set of doubted devices changes */
export function createStorageDoubt(deps: {
  link: LinkMonitor;
  clock: Clock;
  timers: Timers;
  onChanged: () => void;
}): StorageDoubt {
  const { link, clock, timers, onChanged } = deps;
  let beganAt: number | null = null;
  let isOver = false;
  let timer: { cancel(): void } | undefined;

  const update = (): void => {
    const { notStoring } = link.state;
    if (notStoring !== null && (beganAt === null || isOver)) {
      timer?.cancel();
      beganAt = Math.min(beganAt ?? notStoring.since, notStoring.since, clock.now());
      isOver = false;
      onChanged();
    } else if (notStoring === null && beganAt !== null && !isOver) {
      isOver = true;
      timer = timers.after(OFFLINE_AFTER_MS, () => {
        beganAt = null;
        isOver = false;
        onChanged();
      });
    }
  };
  const stop = link.listen(update);
  return {
    doubts: (heardAt) => beganAt !== null && heardAt > beganAt - OFFLINE_AFTER_MS,
    close() {
      stop();
      timer?.cancel();
    },
  };
}

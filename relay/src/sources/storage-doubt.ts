import type { Clock } from "@mulkko/shared/rules/clock";
import { OFFLINE_AFTER_MS } from "@mulkko/shared/rules/quality";
import type { LinkMonitor } from "../ports/link.ts";
import type { Timers } from "../ports/timers.ts";

/**
 * While the farm API stores no readings a silence is not the device's (POLL-7), nor in the hour afterwards, in which
 * each device has yet to be heard again.
 */
export interface StorageDoubt {
  /** True if the silence of a device that was heard last then (ms UTC) may be the farm API's. */
  doubts(heardAt: number): boolean;
  close(): void;
}

/** @param parts.onChanged told when other devices are in doubt than before */
export function createStorageDoubt(parts: {
  link: LinkMonitor;
  clock: Clock;
  timers: Timers;
  onChanged: () => void;
}): StorageDoubt {
  const { link, clock, timers, onChanged } = parts;
  let beganAt: number | null = null;
  let isOver = false;
  let timer: { cancel(): void } | undefined;

  const look = (): void => {
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
  const stop = link.listen(look);
  return {
    doubts: (heardAt) => beganAt !== null && heardAt > beganAt - OFFLINE_AFTER_MS,
    close() {
      stop();
      timer?.cancel();
    },
  };
}

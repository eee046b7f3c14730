import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { OFFLINE_AFTER_MS } from "@mulkko/shared/rules/quality";
import type { LinkMonitor } from "../upstream/link-monitor.ts";
import type { ClockSuspicion } from "./clock-suspicion.ts";
import type { MqttCoverage } from "./mqtt-coverage.ts";

/** Decides if a device is responsible for its own silence. All times are ms UTC. */
export interface Silence {
  /** True if the device's messages have been received without a break since that time. */
  isReceivedSince(at: number): boolean;
  /**
   * True if the farm API may cause the silence of a device with that last report. This holds while its times
   * cannot be right (ONL-3) and while it stores no readings, and for an hour afterwards, in which each device
   * has yet to report (POLL-7).
   */
  isDoubtful(heardAt: number | null): boolean;
}

/** @param deps.onChanged called when a farm API begins or has stopped to cause silence by its storage */
export function createSilence(deps: {
  link: LinkMonitor;
  coverage: Pick<MqttCoverage, "coveredSince">;
  suspicion: Pick<ClockSuspicion, "suspectedOffset">;
  clock: Clock;
  timers: Timers;
  onChanged: () => void;
}): Silence & { close(): void } {
  const { link, coverage, suspicion, clock, timers, onChanged } = deps;
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
    isReceivedSince: coverage.coveredSince,
    isDoubtful(heardAt) {
      if (suspicion.suspectedOffset() !== null) return true;
      return heardAt !== null && beganAt !== null && heardAt > beganAt - OFFLINE_AFTER_MS;
    },
    close() {
      stop();
      timer?.cancel();
    },
  };
}

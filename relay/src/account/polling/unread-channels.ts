import type { Clock } from "@mulkko/shared/rules/clock";
import type { AccountState } from "../account-state.ts";
import type { DeviceIndex } from "../device-index.ts";
import { channelInterval, type Pace } from "./poll-pacing.ts";

/** Number of reads in a row that fail until the last report is not one of now (POLL-7). */
const FAILED_READS = 2;
/** Age of a report in watched intervals from which a page that begins does not draw it as live (POLL-7). */
const OLD_INTERVALS = 2;

/** Counts the reads of channels, where nothing but reads brings their states. */
export interface UnreadChannels {
  /** Record a read without an answer that can be used. */
  failed(channelKey: string): void;
}

/** Notice channels whose last report is not one of now: reads fail, or were rare while no page was open. */
export function createUnreadChannels(deps: {
  readonly state: AccountState;
  readonly deviceIndex: DeviceIndex;
  readonly pace: (key: string) => Pace;
  readonly clock: Clock;
}): UnreadChannels {
  const { state, deviceIndex, pace, clock } = deps;
  const failures = new Map<string, number>();
  /** Monotonic ms of the last report of each channel. */
  const reportedAt = new Map<string, number>();
  const watched = new Set<string>();

  const isOld = (key: string, now: Pace): boolean => {
    const age = clock.monotonic() - (reportedAt.get(key) ?? Number.NEGATIVE_INFINITY);
    return age > OLD_INTERVALS * channelInterval(now, { busy: false, mode: false });
  };
  state.on("channelReported", (key) => {
    failures.delete(key);
    reportedAt.set(key, clock.monotonic());
  });
  state.on("deviceGone", (key) => {
    failures.delete(key);
    reportedAt.delete(key);
    watched.delete(key);
  });
  state.on("paceChanged", () => {
    for (const key of deviceIndex.channels.keys()) {
      const now = pace(key);
      const begins = now.watched && !watched.has(key);
      if (now.watched) watched.add(key);
      else watched.delete(key);
      if (begins && !now.mqttReceived && isOld(key, now)) state.emit("channelUnread", key);
    }
  });
  return {
    failed(key) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      if (count >= FAILED_READS && !pace(key).mqttReceived) state.emit("channelUnread", key);
    },
  };
}

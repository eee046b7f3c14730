import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { ApiClock } from "@mulkko/shared/rules/zoneless-time";
import { LRUCache } from "lru-cache";

/** The farm API's clock and time zone, as its answers and its devices' logs show them. */
export interface UpstreamClock {
  /** Zone of the times that the API names without one. */
  readonly zone: ApiTimeZone;
  /** The API's clock minus ours, ms; 0 while unknown or under 2 s. */
  readonly offsetMs: number;
  /**
   * Return by how many ms the API's times appear to be ahead of the relay's (negative: behind); null when
   * they are right (ONL-3).
   */
  suspectedOffset(): number | null;
  /** Record the `Date` of one answer minus the relay's clock at its arrival, ms. */
  noteDate(skewMs: number): void;
  /**
   * Record a device's log that is newer than the one before.
   *
   * @param lagMs age of the log when it was first seen; negative: from the future
   * @param isSending true if the previous log was seen too, so the device is sending
   */
  noteLog(device: string, lagMs: number, isSending: boolean): void;
  forget(device: string): void;
}

/** Return the farm API's wall clock as far as it is known. */
export const apiClockOf = (
  upstreamClock: Pick<UpstreamClock, "zone" | "offsetMs">,
  clock: Pick<Clock, "now">,
): ApiClock => ({ zone: upstreamClock.zone, now: () => clock.now() + upstreamClock.offsetMs });

const HALF_HOUR = 1_800_000;
/** ms beyond which a log counts as future, and within which a lag still counts as whole half-hours. */
const TOLERANCE_MS = 300_000;
const DEVICES = 3;
/** ms beyond which a `Date` is wrong; no answer takes this long. */
const DATE_SKEW_MS = 300_000;
/** Upper bound of remembered devices; the oldest are evicted. */
const DEVICES_AT_MOST = 10_000;
/** Number of answers whose `Date` is considered. */
const DATES = 8;
/** ms by which a difference must fall to show that the API's clock was set back. */
const SET_BACK_MS = 120_000;
/** ms below which a difference may result from whole seconds and transit. */
const SIGNIFICANT_FROM_MS = 2_000;

/** Return the median, so that one device with a wrong clock has no influence. */
const middleOf = (lags: readonly number[]): number =>
  [...lags].sort((a, b) => a - b)[Math.floor((lags.length - 1) / 2)] ?? 0;

/**
 * The offset is the largest of the last differences: whole seconds and transit can only reduce it.
 *
 * The API's clock or `API_TIMEZONE` is suspected in three cases: the newest logs of three or more devices lie
 * over 5 min in the future, all new logs lag by the same whole half-hours, or the API's `Date` is off.
 */
export function createUpstreamClock(zone: ApiTimeZone): UpstreamClock {
  const lags = new LRUCache<string, { lag: number; isSending: boolean }>({ max: DEVICES_AT_MOST });
  let skews: readonly number[] = [];

  const byDate = (): number | null => {
    const newest = skews.at(-1) ?? 0;
    return Math.abs(newest) > DATE_SKEW_MS ? newest : null;
  };
  const commonHalfHours = (): number | null => {
    const halves = [...lags.values()]
      .filter((one) => one.isSending)
      .map(({ lag }) => ({ count: Math.floor((lag + TOLERANCE_MS / 2) / HALF_HOUR), lag }));
    const count = halves[0]?.count ?? 0;
    if (halves.length < DEVICES || count < 1) return null;
    const all = halves.every((half) => half.count === count && half.lag - count * HALF_HOUR <= TOLERANCE_MS);
    return all ? count * HALF_HOUR : null;
  };
  return {
    zone,
    get offsetMs() {
      const offset = skews.length === 0 ? 0 : Math.max(...skews);
      return Math.abs(offset) < SIGNIFICANT_FROM_MS ? 0 : offset;
    },
    noteDate(skewMs) {
      // No answer takes so long: the API's clock was set back, and the earlier differences are void.
      const isSetBack = skews.length > 0 && skewMs < Math.max(...skews) - SET_BACK_MS;
      skews = isSetBack ? [skewMs] : [...skews, skewMs].slice(-DATES);
    },
    noteLog(device, lag, isSending) {
      lags.set(device, { lag, isSending });
    },
    forget(device) {
      lags.delete(device);
    },
    suspectedOffset() {
      const future = [...lags.values()].filter(({ lag }) => lag < -TOLERANCE_MS);
      // A log from before the first look may belong to a device that has been silent for hours. Count
      // sending devices only.
      const sending = future.filter(({ isSending }) => isSending);
      const known = (sending.length >= DEVICES ? sending : future).map(({ lag }) => lag);
      if (known.length >= DEVICES) return -middleOf(known);
      const behind = commonHalfHours();
      return behind === null ? byDate() : -behind;
    },
  };
}

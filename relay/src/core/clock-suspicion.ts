/** What the ages of new logs, and the API's `Date`, say about its clock and time zone (ONL-3). */
export interface ClockSuspicion {
  /**
   * A device's log that is newer than the one before.
   *
   * @param lagMs how old it was when it was first seen; negative: from the future
   * @param witnessed true if the log before it was seen too, so that the device is sending
   */
  note(device: string, lagMs: number, witnessed: boolean): void;
  forget(device: string): void;
  /** One answer's `Date` minus our clock at its arrival, ms. */
  noteDate(skewMs: number): void;
  /** By how many ms the API's times seem to be ahead of ours (negative: behind); null: nothing is wrong with them. */
  suspectedOffset(): number | null;
}

const HALF_HOUR = 1_800_000;
/** ms from which a log lies in the future, and within which a lag still counts as whole half-hours. */
const TOLERANCE_MS = 300_000;
const DEVICES = 3;
/** ms from which a `Date` is wrong; no answer is so long under way. */
const DATE_SKEW_MS = 300_000;
/** Devices remembered at most; the oldest give way. */
const REMEMBERED = 10_000;

/**
 * The newest logs of three or more devices lie over 5 min in the future, or all that come in are old by the same
 * whole half-hours, or the API itself says so by its `Date`: then it is the clock or `API_TIMEZONE`, not the devices.
 */
export function createClockSuspicion(): ClockSuspicion {
  const lags = new Map<string, { lag: number; witnessed: boolean }>();
  let dateSkew = 0;

  const byDate = (): number | null => (Math.abs(dateSkew) > DATE_SKEW_MS ? dateSkew : null);
  const commonHalfHours = (): number | null => {
    const halves = [...lags.values()]
      .filter((one) => one.witnessed)
      .map(({ lag }) => ({ count: Math.floor((lag + TOLERANCE_MS / 2) / HALF_HOUR), lag }));
    const count = halves[0]?.count ?? 0;
    if (halves.length < DEVICES || count < 1) return null;
    const all = halves.every((half) => half.count === count && half.lag - count * HALF_HOUR <= TOLERANCE_MS);
    return all ? count * HALF_HOUR : null;
  };
  return {
    note(device, lag, witnessed) {
      lags.delete(device);
      lags.set(device, { lag, witnessed });
      const oldest = lags.keys().next().value;
      if (lags.size > REMEMBERED && oldest !== undefined) lags.delete(oldest);
    },
    forget(device) {
      lags.delete(device);
    },
    noteDate(skewMs) {
      dateSkew = skewMs;
    },
    suspectedOffset() {
      const future = [...lags.values()].map((one) => one.lag).filter((lag) => lag < -TOLERANCE_MS);
      if (future.length >= DEVICES) return -Math.max(...future);
      const behind = commonHalfHours();
      return behind === null ? byDate() : -behind;
    },
  };
}

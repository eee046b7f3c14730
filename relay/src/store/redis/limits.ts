const DAY = 24 * 3_600_000;

/** Times of the Redis store, ms. */
export const REDIS_LIMITS = {
  /** NODE-5: duration of a lease, and of a node's entry in the list of nodes. */
  leaseMs: 6_000,
  renewMs: 2_000,
  /** Interval of the search for free leases. */
  lookMs: 1_000,
  /**
   * Time after a loss or an outage in which no free lease is taken: its last owner, whose copy is complete,
   * has priority.
   */
  patienceMs: 3_000,
  /** Timeout of a command; its connection is closed a little later. */
  commandMs: 2_000,
  silentSocketMs: 4_000,
  connectMs: 3_000,
  /** Longest time between two attempts to connect. */
  reconnectMs: 1_000,
  /** Interval of pings on the subscriber's connection. */
  pingMs: 5_000,
  /** LIVE-4: interval of the comparison of copies with the store. */
  resyncMs: 30_000,
  /** Interval of the check that Redis still persists its data. */
  durabilityMs: 60_000,
  /** After an outage each account is read or written again: this many at a time, the rest in a queue. */
  accountsAtOnce: 16,
  accountsWaiting: 100_000,
  /** Publications that wait for a copy's fill. Beyond it the copy is filled once more. */
  waitingFrames: 1_000,
  /** Time for which streams without a writer are kept; refreshed by their writer. */
  streamKeptMs: 8 * DAY,
  touchMs: DAY / 4,
  /** The same after a release: long enough for a viewer who returns soon. */
  releasedMs: 3_600_000,
  claimsKeptMs: 2 * DAY,
} as const;

const DAY = 24 * 3_600_000;

/** Times of the Redis store, ms. */
export const REDIS_LIMITS = {
  /** NODE-5: a lease, and a node's entry in the list of nodes. */
  leaseMs: 6_000,
  renewMs: 2_000,
  /** How often free leases are looked for. */
  lookMs: 1_000,
  /** After a loss or an outage no free lease is taken for so long: its last owner, whose copy is whole, comes first. */
  patienceMs: 3_000,
  /** A command without an answer for so long has failed; its connection is given up a little later. */
  commandMs: 2_000,
  silentSocketMs: 4_000,
  connectMs: 3_000,
  /** Between two attempts to connect, at most. */
  reconnectMs: 1_000,
  /** How often the subscriber's connection is tried. */
  pingMs: 5_000,
  /** LIVE-4 */
  resyncMs: 30_000,
  /** How often it is asked whether Redis still keeps what it is given. */
  durabilityMs: 60_000,
  /** After an outage each account is read or written again: so many at the same time, and so many after them. */
  accountsAtOnce: 16,
  accountsWaiting: 100_000,
  /** Publications that wait for a copy's fill; beyond it the copy is filled once more. */
  waitingFrames: 1_000,
  /** Streams of an account that nobody writes any more are kept so long; refreshed while one does. */
  streamKeptMs: 8 * DAY,
  touchMs: DAY / 4,
  /** The same after a release: long enough for whoever comes back soon. */
  releasedMs: 3_600_000,
  presenceKeptMs: 30 * DAY,
  claimsKeptMs: 2 * DAY,
} as const;

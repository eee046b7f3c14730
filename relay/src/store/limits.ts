/** Limits of every store. */
export const STORE_LIMITS = {
  /** Poll units of one account with a known claim; the oldest claims are dropped first. */
  claims: 5_000,
  /** Dated documents that one call returns at most. */
  records: 1_000,
  /** Messages that wait for one shard's owner, and ms after which they expire. */
  inbox: 1_000,
  inboxMs: 10_000,
  /** ms for which a released shard is kept until its accounts are closed. */
  givingAwayMs: 3_000,
} as const;

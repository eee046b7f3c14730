/** Limits of every store. */
export const STORE_LIMITS = {
  /** Alarms of one account; the oldest changes are dropped first. */
  alarms: 1_000,
  /** Bytes of an account's settings as JSON. */
  settingsBytes: 256 * 1024,
  /** Poll units of one account with a known claim; the oldest claims are dropped first. */
  claims: 5_000,
  /** CMD-7: ms for which command records are kept. Waterings are kept as long as events. */
  commandsKeptMs: 24 * 3_600_000,
  /** Waterings of one account in Redis: eight channels, each hour of a week. */
  waterings: 2_000,
  /** Records that one call returns at most. */
  records: 1_000,
  /** AUTH-3: proofs that one node keeps in its own memory. */
  proofs: 20_000,
  /** Messages that wait for one shard's owner, and ms after which they expire. */
  inbox: 1_000,
  inboxMs: 10_000,
  /** ms for which a released shard is kept until its accounts are closed. */
  givingAwayMs: 3_000,
} as const;

/** Bounds of what a store keeps, whichever it is. */
export const STORE_LIMITS = {
  /** Alarms of one account; those that changed longest ago go first. */
  alarms: 1_000,
  /** Bytes of an account's settings as JSON. */
  settingsBytes: 256 * 1024,
  /** Poll units of one account whose claim is known; the oldest claims go first. */
  claims: 5_000,
  /** CMD-7: ms that command records are kept. Waterings are kept as long as events. */
  commandsKeptMs: 24 * 3_600_000,
  /** Waterings of one account in Redis: eight channels, each hour of a week. */
  waterings: 2_000,
  /** Records that one call gives back. */
  records: 1_000,
  /** AUTH-3: proofs that one node remembers in its own memory. */
  proofs: 20_000,
  /** Messages that wait for one shard's owner, and ms after which they are void. */
  inbox: 1_000,
  inboxMs: 10_000,
  /** ms that a shard is kept for those who close its accounts before it is given away. */
  givingAwayMs: 3_000,
} as const;

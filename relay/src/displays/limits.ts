/** Limits of pairing, and of paired displays. */
export const DISPLAY_LIMITS = {
  /** Displays of one account, and of the installation. */
  perAccount: 50,
  displays: 10_000,
  /** Codes pending at the same time. */
  codes: 1_000,
  /**
   * Codes requested by one address in a window: enough for a hall full of screens behind one router, but no
   * flood.
   */
  codesPerAddress: 60,
  /**
   * Guesses of codes in a window, over all nodes: of one address, and of one account. A thousand of 20⁸ codes
   * may be pending.
   */
  guessesPerAddress: 60,
  guessesPerAccount: 60,
  windowMs: 600_000,
  /** Polls of one address in a minute: sixty screens, each every five seconds. */
  pollsPerAddress: 720,
  pollWindowMs: 60_000,
  /** Addresses and accounts counted at the same time. */
  counted: 10_000,
  /** Screens whose polling one node times. */
  timed: 2_000,
  /** RFC 8628 §3.5: ms added to the interval of a screen that polls too soon. */
  slowerMs: 5_000,
  /** ms by which a poll may be early: networks do not keep time. */
  leewayMs: 500,
  /** ms after which an unseen display is revoked. */
  unseenMs: 180 * 24 * 3_600_000,
  /** ms after which an approved display without a fetched token is removed. */
  unfetchedMs: 20 * 60_000,
  /** ms for which an unused token may be sent once more to the same screen. */
  lostMs: 60_000,
  /** Stored characters of a screen's `User-Agent`. */
  agent: 160,
  /** Ids that a node remembers as removed, to keep them out after a loss of the store. */
  removed: 2_000,
  /** ms between two comparisons of this node's displays with the store's (LIVE-4). */
  lookMs: 10_000,
  /** ms between two reports of a held socket, and ms for which a report counts. */
  seenEveryMs: 30_000,
  heldMs: 75_000,
  /** ms within which opened and closed sockets are reported together. */
  seenTogetherMs: 200,
  /** ms between two checks of accounts that the farm API could not be asked about. */
  checkMs: 5_000,
  /** Number of these checks between two checks of accounts with suspended displays. */
  checksOfSuspended: 12,
  /** ms for which an administrator's display lends the token of its account's own session to the fleet. */
  fleetTokenMs: 240_000,
} as const;

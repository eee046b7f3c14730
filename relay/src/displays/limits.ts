/** Bounds of pairing, and of what is paired. */
export const DISPLAY_LIMITS = {
  /** Displays of one account, and of the installation. */
  perAccount: 50,
  displays: 10_000,
  /** Codes that wait at the same time. */
  codes: 1_000,
  /** Codes that one address asks for in a window: a hall full of screens behind one router, and no flood. */
  codesPerAddress: 60,
  /** Guesses of codes in a window, over all nodes: of one address, and of one account. Of 20⁸ codes a thousand may wait. */
  guessesPerAddress: 60,
  guessesPerAccount: 60,
  windowMs: 600_000,
  /** Polls of one address in a minute: sixty screens, each every five seconds. */
  pollsPerAddress: 720,
  pollWindowMs: 60_000,
  /** Addresses and accounts that are counted at the same time. */
  counted: 10_000,
  /** Screens whose polling is timed by one node. */
  timed: 2_000,
  /** RFC 8628 §3.5: ms by which a screen that polls too soon polls more slowly. */
  slowerMs: 5_000,
  /** A poll may be so much too soon, ms: networks do not keep time. */
  leewayMs: 500,
  /** A display that nobody has seen for so long, ms, is revoked. */
  unseenMs: 180 * 24 * 3_600_000,
  /** An approved display whose token was not fetched for so long, ms, is given up. */
  unfetchedMs: 20 * 60_000,
  /** For so long, ms, a token that was not used may be told once more to the screen that it was told to. */
  lostMs: 60_000,
  /** Characters that are kept of a screen's `User-Agent`. */
  agent: 160,
  /** Ids that a node remembers as removed, to keep them out after a loss of the store. */
  removed: 2_000,
  /** ms between two looks whether the store's displays are those of this node (LIVE-4). */
  lookMs: 10_000,
  /** ms between two times that a socket is said to be held, and for how long it counts. */
  sightMs: 30_000,
  heldMs: 75_000,
  /** ms within which sockets that come and go are said together. */
  sightSoonMs: 200,
  /** ms between two looks at accounts that the farm API could not be asked about. */
  checkMs: 5_000,
  /** So many of these looks lie between two at accounts whose displays are suspended. */
  checksOfSuspended: 12,
  /** ms between two looks for displays that are over. */
  pruneMs: 3_600_000,
  /** ms for which an administrator's display lends the token of its account's own session to the fleet. */
  fleetTokenMs: 240_000,
} as const;

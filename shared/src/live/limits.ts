/** Protocol version of this code. */
export const PROTOCOL = 1;

/** Limits that both ends of the live protocol share; each comment names its rule. */
export const LIVE_LIMITS = {
  /** HS-1: ms until a connection must have sent `hello`. */
  helloMs: 10_000,
  /** HS-5: bytes of the largest frame from a client. */
  frameBytes: 64 * 1024,
  /** HS-5: messages from a client within `messageWindowMs`. */
  messagesPerWindow: 20,
  messageWindowMs: 10_000,
  /** HS-5: invalid messages until the connection is closed. */
  badMessages: 10,
  /** AUTH-2: ms after a token's end until the session ends. */
  tokenGraceMs: 25_000,
  /** SUB-7 */
  trackedKeys: 500,
  /** LIVE-1: ms of silence until the relay sends `beat`. */
  beatMs: 15_000,
  /** LIVE-1: ms between an answer and the next `ask` of a visible page. */
  askEveryMs: 4_000,
  /** LIVE-1: ms without any message until the client shows "not live". */
  notLiveMs: 35_000,
  /** LIVE-1 */
  pingMs: 25_000,
  silentMs: 50_000,
  /**
   * POLL-1: ms for which a session counts as active, and the interval of `active` while the page is visible.
   */
  activeMs: 300_000,
  activeEveryMs: 60_000,
  /** LIVE-2: bounds of the client's backoff, ms. */
  backoffMinMs: 1_000,
  backoffMaxMs: 30_000,
  /** SLOW-3: bytes of one part of a snapshot. */
  partBytes: 32 * 1024,
  /** SLOW-1: unconfirmed bytes of one session; a marker is sent after each `markerBytes`. */
  windowBytes: 64 * 1024,
  markerBytes: 32 * 1024,
  /** SLOW-2 */
  markerTimeoutMs: 60_000,
  /** SUB-4 */
  eventsKept: 1_000,
  eventsKeptMs: 7 * 24 * 3_600_000,
  eventPage: 100,
  eventSnapshot: 50,
  tombstones: 1_000,
  tombstoneMs: 24 * 3_600_000,
} as const;

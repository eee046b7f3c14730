/** The version of the protocol that this code speaks. */
export const PROTOCOL = 1;

/** Numbers that both ends of the live protocol know; each is named by the rule that it belongs to. */
export const LIVE_LIMITS = {
  /** HS-1: ms until a connection must have said hello. */
  helloMs: 10_000,
  /** HS-5: bytes of the largest frame from a client. */
  frameBytes: 64 * 1024,
  /** HS-5: messages from a client within `messageWindowMs`. */
  messagesPerWindow: 20,
  messageWindowMs: 10_000,
  /** HS-5: bad messages until the connection is closed. */
  badMessages: 10,
  /** AUTH-2: ms after a token's end until the session ends. */
  tokenGraceMs: 25_000,
  /** SUB-7 */
  trackedKeys: 500,
  /** LIVE-1: ms of silence until the relay says `beat`. */
  beatMs: 15_000,
  /** LIVE-1: ms without any message until the client says "not live". */
  notLiveMs: 35_000,
  /** LIVE-1 */
  pingMs: 25_000,
  silentMs: 50_000,
  /** POLL-1: ms for which a session counts as active, and after which it says so again while somebody looks. */
  activeMs: 300_000,
  activeEveryMs: 60_000,
  /** LIVE-2: bounds of the client's backoff, ms. */
  backoffMinMs: 1_000,
  backoffMaxMs: 30_000,
  /** SLOW-3: bytes of one part of a snapshot. */
  partBytes: 32 * 1024,
  /** SLOW-1: unconfirmed bytes of one session; a marker goes out after each `markerBytes`. */
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

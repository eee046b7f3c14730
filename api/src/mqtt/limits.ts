/**
 * Limits of one connection and of one key at the embedded broker (ADR 17). A key is the credential of a
 * device, the relay or a network server. All connections of a key share its limits.
 */

/**
 * Simultaneous connections. Below the usual limit of file handles per process: the farm API needs some
 * itself.
 */
export const MAX_CONNECTIONS = 10_000;
/** Connections that may wait to be accepted: all devices reconnect at once after an outage. */
export const ACCEPT_QUEUE = 4_096;
/** Connections per key; one more ends the oldest, which is usually a dead connection. */
export const MAX_KEY_CONNECTIONS = 16;
/** Time for a new connection to authenticate, ms. */
export const CONNECT_WITHIN_MS = 10_000;
/** Largest first packet of a connection, bytes: at that moment it is not authenticated. */
export const MAX_CONNECT_BYTES = 16 * 1024;
/** Filters per connection. */
export const MAX_FILTERS = 32;
/** Levels and characters per filter. */
export const MAX_FILTER_LEVELS = 10;
export const MAX_FILTER_LENGTH = 128;
/** QoS 2 messages of a connection that wait for their release. */
export const MAX_HALF_OPEN = 50;

/** Bytes that may wait for a slow client, beyond the kernel's buffer. */
export const MAX_WAITING_BYTES = 128 * 1024;
/** The relay receives every reading of every device, in batches. */
export const MAX_RELAY_WAITING_BYTES = 8 * 2 ** 20;
/** Time for a client with a full socket to read on, ms. */
export const DRAIN_WITHIN_MS = 30_000;

/** Rate at which messages and filters of a key are accepted; further ones stay unread until their turn. */
export interface Pace {
  readonly perSecond: number;
  /** Burst allowed after a quiet period. */
  readonly burst: number;
}
export const DEVICE_PACE: Pace = { perSecond: 500, burst: 2_000 };
/** A network server forwards for many devices. */
export const NETWORK_SERVER_PACE: Pace = { perSecond: 5_000, burst: 20_000 };

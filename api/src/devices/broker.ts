/** A message from the API. */
export interface OutMessage {
  readonly topic: string;
  readonly payload: string;
  readonly qos: 0 | 1;
}

/** A message from a device. */
export interface InMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** True for a possible repetition, as marked by the sender. */
  readonly duplicate: boolean;
  /** True for a message that the broker retained; it was not sent just now. */
  readonly retained: boolean;
  /** Name of the connection. */
  readonly connection: string;
}

/**
 * Handle a device's message. The broker acknowledges it only once this resolves, so every acknowledged
 * message is stored. On a rejection the device sends again.
 */
export type HandleMessage = (message: InMessage) => Promise<void>;

/**
 * Reason for which the embedded broker ended a connection: a client that does not read, too many of one key, too
 * many of one address without a key, no room for another one, or a wrong name or key.
 */
export type CutReason = "slow-reader" | "too-many-connections" | "no-key" | "no-room" | "wrong-key";

/** Connection to devices and to the relay: embedded in this process, or external. */
export interface Broker {
  readonly kind: "embedded" | "external";
  /** @throws BrokerDownError */
  publish(message: OutMessage): Promise<void>;
  /**
   * Subscribe to topics of third-party valves, replacing the previous ones. The embedded broker already
   * receives all.
   */
  follow(filters: readonly string[]): void;
  /** False also while the embedded broker does not forward messages. */
  isUp(): boolean;
  /** False while the embedded broker holds as many connections as it may, and refuses further devices. */
  hasRoom(): boolean;
  /** Return the number of connections ended to protect others, by reason; empty for an external broker. */
  cuts(): Readonly<Partial<Record<CutReason, number>>>;
  /** Return true for a device with a session; null where this broker does not know. */
  hasSession(serial: number): boolean | null;
  /** End a device's connections, so that it must show its key again; not possible on an external broker. */
  endSession(serial: number): void;
  close(): Promise<void>;
}

/** The broker is unreachable. */
export class BrokerDownError extends Error {
  override readonly name = "BrokerDownError";
  readonly code = "broker-down";
  readonly temporary = true;

  shouldRetry(): boolean {
    return this.temporary;
  }
}

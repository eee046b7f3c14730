/** What the API sends through the broker. */
export interface OutMessage {
  readonly topic: string;
  readonly payload: string;
  readonly qos: 0 | 1;
}

/** A device's message as a broker hands it in. */
export interface InMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** Marked by the sender as possibly sent before. */
  readonly duplicate: boolean;
  /** Kept by the broker from before; not sent just now. */
  readonly retained: boolean;
  /** Names the connection that it came by. */
  readonly connection: string;
}

/**
 * Takes a device's message. The broker acknowledges the message only once this resolves, so that what was
 * acknowledged is stored; where it rejects, the device sends again.
 */
export type TakeMessage = (message: InMessage) => Promise<void>;

/** The way to devices and to the relay: inside this process, or elsewhere. */
export interface Broker {
  readonly kind: "embedded" | "outer";
  /** @throws BrokerDownError */
  publish(message: OutMessage): Promise<void>;
  /** Subscribes what foreign valves say, in the place of what was followed before; an embedded broker hears it all. */
  follow(filters: readonly string[]): void;
  isUp(): boolean;
  /** Whether a device has a session; null where this broker does not tell. */
  hasSession(serial: number): boolean | null;
  /** Ends a device's connections, so that it must show its key anew; a broker elsewhere cannot be asked to. */
  endSession(serial: number): void;
  close(): Promise<void>;
}

/** The broker cannot be reached now. */
export class BrokerDownError extends Error {
  override readonly name = "BrokerDownError";
  readonly code = "broker-down";
  readonly temporary = true;

  shouldRetry(): boolean {
    return this.temporary;
  }
}

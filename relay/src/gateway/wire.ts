import type { Door } from "../ports/metrics.ts";
import type { Farewell } from "./farewell.ts";
import type { Outgoing } from "./outgoing.ts";

/** One connection of one door, as its session sees it. No call throws, also when the peer is gone. */
export interface Wire {
  readonly door: Door;
  /** Bytes that this process still holds for the peer. */
  bufferedAmount(): number;
  send(message: Outgoing): void;
  /** Sends a marker; what comes back for it goes to `session.confirmed`. */
  mark(marker: number): void;
  /** Closes when what was sent has gone out. */
  close(code: number, reason: string): void;
  /** Cuts the connection. */
  terminate(): void;
}

/** One connection through the life of the protocol, as its door sees it. */
export interface Session {
  readonly id: string;
  /** A message from the client, taken out of its frame but not yet checked. */
  receive(message: unknown): void;
  /** Bytes from the client that are no message at all. */
  receiveGarbage(): void;
  /** The client pings. @returns true if it should be answered */
  pinged(): boolean;
  /** A marker has come back. */
  confirmed(marker: number): void;
  /** Any other sign of life. */
  heard(): void;
  /** The connection is gone. */
  closed(): void;
  /** Asks again whether its token is still good, and ends if it is not; resolves when that is known. */
  proveAgain(): Promise<void>;
  /** Says farewell and closes. */
  end(last: Farewell): void;
  /** The `link` message of a new state. */
  link(message: Outgoing): void;
}

import type { Transport } from "../runtime/metrics.ts";
import type { CloseReason } from "./close-reason.ts";
import type { Outgoing } from "./outgoing.ts";

/** One connection of a transport, as its session sees it. No call throws, also after a disconnect. */
export interface TransportConnection {
  readonly transport: Transport;
  /** Return the bytes that this process still buffers for the peer. */
  bufferedAmount(): number;
  send(message: Outgoing): void;
  /** Send a marker; its echo is passed to `session.confirmed`. */
  mark(marker: number): void;
  /** Close after everything has been sent. */
  close(code: number, reason: string): void;
  /** Close at once. */
  terminate(): void;
}

/** One connection through the life of the protocol, as its transport sees it. */
export interface Session {
  readonly id: string;
  /** Handle a message from the client, taken out of its frame but not yet checked. */
  receive(message: unknown): void;
  /** Handle bytes from the client that are no message. */
  receiveGarbage(): void;
  /**
   * Handle a ping.
   * @returns true if it should be answered
   */
  pinged(): boolean;
  /** Handle the echo of a marker. */
  confirmed(marker: number): void;
  /** Handle any other activity of the client. */
  noteActivity(): void;
  /** Handle the end of the connection. */
  closed(): void;
  /**
   * Prove the token, and end the session if it is no longer valid. Resolves when that is known.
   * @param again ask the API, whatever proof is cached (AUTH-4)
   */
  prove(again: boolean): Promise<void>;
  /** Send the close reason, and close. */
  end(last: CloseReason): void;
  /** Send the `link` message of a new state. */
  link(message: Outgoing): void;
}

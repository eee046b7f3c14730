import type { ClientMessage } from "@mulkko/shared/live/client-messages";

/** Callbacks of a transport. After `closed` there are no more. */
export interface TransportListener {
  opened(): void;
  /** A received message, not validated yet. */
  message(raw: unknown): void;
  closed(): void;
}

/** One connection to the relay. Closing it calls no listener. */
export interface TransportConnection {
  send(message: ClientMessage): void;
  close(): void;
}

/** A way to connect to the relay; each call is one attempt, without reconnection. */
export interface Transport {
  open(listener: TransportListener): TransportConnection;
}

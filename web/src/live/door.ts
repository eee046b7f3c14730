import type { ClientMessage } from "@mulkko/shared/live/client-messages";

/** What a door tells its user. After `closed` it says nothing more. */
export interface DoorListener {
  opened(): void;
  /** A message as it came, not yet checked. */
  message(raw: unknown): void;
  closed(): void;
}

/** One connection to the relay. Closing it calls no listener. */
export interface DoorConnection {
  send(message: ClientMessage): void;
  close(): void;
}

/** A way to the relay; each call is one attempt, reconnecting is not its business. */
export interface Door {
  open(listener: DoorListener): DoorConnection;
}

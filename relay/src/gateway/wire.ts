import type { Door } from "../ports.ts";
import type { Outgoing } from "./outgoing.ts";

/** One connection of one door, as its session sees it. No call throws, also when the peer is gone. */
export interface Wire {
  readonly door: Door;
  /** Bytes that this process still holds for the peer. */
  readonly bufferedAmount: number;
  send(message: Outgoing): void;
  /** Sends a marker; what comes back for it goes to `session.confirmed`. */
  mark(marker: number): void;
  /** Closes when what was sent has gone out. */
  close(code: number, reason: string): void;
  /** Cuts the connection. */
  terminate(): void;
}

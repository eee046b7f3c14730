import type { Position, StreamName } from "@mulkko/shared/live/client-messages";
import type { Frame } from "../store/streams.ts";
import type { Outgoing } from "./outgoing.ts";

/**
 * The delivery of one stream to one session. When current, it passes frames on as they arrive. Otherwise it
 * is behind, and returns one message at a time as the session's window allows. These messages include the
 * frames that arrive meanwhile.
 */
export interface StreamDelivery {
  readonly stream: StreamName;
  current(): boolean;
  /** Return this session's message for a frame, or null for nothing. Only when current. */
  messageOf(frame: Frame): Outgoing | null;
  /** Note that the message of `messageOf` was sent. */
  advance(frame: Frame): void;
  /** Note that the message of `messageOf` could not be sent: all later ones come from `next`. */
  fallBehind(): void;
  /** Return the next message of the catch-up; null: current. */
  next(): Outgoing | null;
}

/**
 * The catch-up of a subscription from a position: it yields messages, and returns the session's position
 * after them.
 */
export type CatchUpRun = Generator<Outgoing, Position>;

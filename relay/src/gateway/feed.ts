import type { Position, StreamName } from "@mulkko/shared/live/client-messages";
import type { Frame } from "../ports/streams.ts";
import type { Outgoing } from "./outgoing.ts";

/**
 * One stream on its way to one session. Current: frames go out as they come. Else it stands behind and is asked for
 * one message at a time, as the session's window allows; frames that come meanwhile are part of what it will say.
 */
export interface Feed {
  readonly stream: StreamName;
  current(): boolean;
  /** What the frame means for this session: a message, or null for nothing. Only when current. */
  take(frame: Frame): Outgoing | null;
  /** The message of `take` has been sent. */
  advance(frame: Frame): void;
  /** The message of `take` could not be sent: all later ones come by `next`. */
  fallBehind(): void;
  /** The next message of the catch-up; null: current. */
  next(): Outgoing | null;
}

/** How a feed catches up from a position: yields messages, returns where the session then stands. */
export type CatchUpRun = Generator<Outgoing, Position>;

import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import type { LoggedEvent } from "../store/streams.ts";

/**
 * A message ready for both transports: its name, for Socket.IO, and its JSON text. Messages for many sessions
 * are one object, so that a transport can cache its encoding.
 */
export interface Outgoing {
  readonly t: ServerMessage["t"];
  readonly bytes: Buffer;
}

export function outgoing(message: ServerMessage): Outgoing {
  return { t: message.t, bytes: Buffer.from(JSON.stringify(message)) };
}

export function eventMessage({ offset, event }: LoggedEvent): Outgoing {
  return outgoing({ t: "event", stream: "events", offset, event });
}

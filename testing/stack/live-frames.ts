import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";

/** Address of the WebSockets on which pages receive live values. */
export const LIVE_SOCKET = new RegExp(`${relayPath.socketIo}\\?`);

/** Engine.IO's message (4) with Socket.IO's event (2). */
const EVENT = "42";

const Event = Type.Tuple([Type.String(), Type.Unknown()]);

/** Return the message in a frame of such a WebSocket; undefined if it has none. */
export function messageIn(frame: string | Buffer): unknown {
  const text = String(frame);
  const parsed = text.startsWith(EVENT) ? parseJson(Event, text.slice(EVENT.length)) : null;
  return parsed?.ok ? parsed.value[1] : undefined;
}

/** Return the frame of a message. */
export const frameOf = <M extends { readonly t: string }>(message: M): string =>
  EVENT + JSON.stringify([message.t, message]);

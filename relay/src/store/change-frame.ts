import type { StateStream } from "@mulkko/shared/live/client-messages";
import type { Change, EventMessage } from "@mulkko/shared/live/server-messages";
import type { Gathered } from "./gather.ts";
import type { Frame, LoggedEvent } from "./streams.ts";

/** Build the `change` message of one flush, serialised once for all sessions (SUB-6). */
export function changeFrame(from: number, gathered: Gathered, stream: StateStream = "devices"): Frame {
  const { set, patch, del } = gathered;
  const offset = from + 1;
  const message: Change = {
    t: "change",
    stream,
    from,
    offset,
    ...(Object.keys(set).length > 0 && { set }),
    ...(Object.keys(patch).length > 0 && { patch }),
    ...(del.length > 0 && { del }),
  };
  const keys = [...gathered.whole.keys(), ...del];
  return { from, offset, keys, bytes: Buffer.from(JSON.stringify(message)) };
}

/** Build the `event` message of one logged event. */
export function eventFrame(logged: LoggedEvent): Frame {
  const message: EventMessage = { t: "event", stream: "events", offset: logged.offset, event: logged.event };
  return {
    from: logged.offset - 1,
    offset: logged.offset,
    keys: [],
    bytes: Buffer.from(JSON.stringify(message)),
  };
}

const NOTHING = Buffer.alloc(0);

/**
 * Return a frame that follows no position: every session that receives it catches up by `changesSince`. It
 * is for a copy that changed other than by a step.
 */
export const voidingFrame = (offset: number): Frame => ({ from: -1, offset, keys: [], bytes: NOTHING });

import type { Frame } from "../store/streams.ts";
import type { Outgoing } from "./outgoing.ts";

const made = new WeakMap<Frame, Outgoing>();

/** Return the message of a frame, the same object for every session. */
export function frameMessage(frame: Frame, t: "change" | "event"): Outgoing {
  const known = made.get(frame);
  if (known) return known;
  const fresh: Outgoing = { t, bytes: frame.bytes };
  made.set(frame, fresh);
  return fresh;
}

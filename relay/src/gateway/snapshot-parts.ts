import type { StateStream, StreamName } from "@mulkko/shared/live/client-messages";
import type { CatchUp, EventCatchUp } from "../store/streams.ts";
import type { Outgoing } from "./outgoing.ts";
import { gatherParts, items, members } from "./parts.ts";

interface Head {
  readonly stream: StreamName;
  readonly epoch: string;
  readonly offset: number;
}

function wrap(head: Head, states: string[], open: string, close: string): Outgoing[] {
  // An empty stream has a snapshot too: one empty part.
  const parts = states.length === 0 ? [""] : states;
  return parts.map((state, index) => {
    const fields = JSON.stringify({ t: "snapshot", ...head, part: index + 1, of: parts.length });
    return { t: "snapshot", bytes: Buffer.from(`${fields.slice(0, -1)},"state":${open}${state}${close}}`) };
  });
}

/** Return the `snapshot` messages of a state, each of at most about `maxBytes` (SLOW-3). */
export function stateSnapshot(
  stream: StateStream,
  step: Extract<CatchUp, { kind: "snapshot" }>,
  maxBytes: number,
): Outgoing[] {
  const states = [...gatherParts(members(Object.entries(step.state)), maxBytes)];
  return wrap({ stream, epoch: step.epoch, offset: step.offset }, states, "{", "}");
}

/** Return the `snapshot` messages of the newest events, oldest first. */
export function eventSnapshot(
  step: Extract<EventCatchUp, { kind: "snapshot" }>,
  maxBytes: number,
): Outgoing[] {
  const states = [...gatherParts(items(step.newest), maxBytes)];
  return wrap({ stream: "events", epoch: step.epoch, offset: step.offset }, states, "[", "]");
}

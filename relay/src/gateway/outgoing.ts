import type { StateStream, StreamName } from "@mulkko/shared/live/client-messages";
import { Change, type ServerMessage } from "@mulkko/shared/live/server-messages";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { CatchUp, EventCatchUp, Frame, LoggedEvent } from "../store/streams.ts";

const FIN_TEXT = 0x81;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;

/**
 * Build a whole unmasked WebSocket text frame (RFC 6455), header and payload in one buffer. It is built once
 * and written to every connection unchanged.
 *
 * @param payload UTF-8 text
 */
export function textFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const headLength = length <= 125 ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = FIN_TEXT;
  if (headLength === 2) {
    frame[1] = length;
  } else if (headLength === 4) {
    frame[1] = LENGTH_IN_2_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_IN_8_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  payload.copy(frame, headLength);
  return frame;
}

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

const made = new WeakMap<Frame, Outgoing>();

/** Return the message of a frame, the same object for every session. */
export function frameMessage(frame: Frame, t: "change" | "event"): Outgoing {
  const known = made.get(frame);
  if (known) return known;
  const fresh: Outgoing = { t, bytes: frame.bytes };
  made.set(frame, fresh);
  return fresh;
}

/**
 * Join pieces of JSON text by commas into parts of at most `maxBytes` each (SLOW-3). A larger piece forms a
 * part of its own. Parts are created lazily.
 */
function* gatherParts(texts: Iterable<string>, maxBytes: number): Generator<string, void> {
  let gathered: string[] = [];
  let size = 0;
  for (const text of texts) {
    const bytes = Buffer.byteLength(text);
    if (gathered.length > 0 && size + bytes + 1 > maxBytes) {
      yield gathered.join(",");
      gathered = [];
      size = 0;
    }
    gathered.push(text);
    size += bytes + 1;
  }
  if (gathered.length > 0) yield gathered.join(",");
}

/** Yield the JSON members of an object one by one: `"key":value`. */
function* members(values: Iterable<readonly [string, unknown]>): Generator<string, void> {
  for (const [key, value] of values) yield `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

/** Yield the JSON items of a list one by one. */
function* items(values: Iterable<unknown>): Generator<string, void> {
  for (const value of values) yield JSON.stringify(value);
}

function wrap(
  head: { stream: StreamName; epoch: string; offset: number },
  states: string[],
  open: string,
  close: string,
): Outgoing[] {
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

type Resume = Extract<CatchUp, { kind: "resume" }>;
type Changes = Pick<Change, "from" | "offset" | "set" | "patch" | "del">;

/** Bytes for the fields of a `change` besides its keys. */
const HEAD_BYTES = 128;

/**
 * Yield the `change` messages of a catch-up, each of at most `maxBytes`, created one at a time (SLOW-1). All
 * but the last leave the reader at its offset (`offset` = `from`). After a disconnect between them the client
 * resumes from there, and gets some keys once more. A step without keys yields one empty message.
 */
export function changeParts(stream: StateStream, step: Resume, maxBytes: number): Generator<Outgoing, void> {
  return inParts(stream, step, maxBytes);
}

const madeOf = new WeakMap<Frame, readonly Outgoing[]>();

/** Yield a large frame in parts as above: the same messages for every session. */
export function frameParts(stream: StateStream, frame: Frame, maxBytes: number): readonly Outgoing[] {
  const known = madeOf.get(frame);
  if (known) return known;
  const change = parseJson(Change, frame.bytes.toString());
  if (!change.ok) throw new Error(`a frame of our own is no change: ${change.path} ${change.message}`);
  const fresh = [...inParts(stream, change.value, maxBytes)];
  madeOf.set(frame, fresh);
  return fresh;
}

function* inParts(stream: StateStream, changes: Changes, maxBytes: number): Generator<Outgoing, void> {
  const { from, offset } = changes;
  let part = emptyPart();
  let size = HEAD_BYTES;
  for (const [kind, text] of pieces(changes)) {
    const bytes = Buffer.byteLength(text) + 1;
    if (size + bytes > maxBytes && size > HEAD_BYTES) {
      yield message(stream, from, from, part);
      part = emptyPart();
      size = HEAD_BYTES;
    }
    part[kind].push(text);
    size += bytes;
  }
  yield message(stream, from, offset, part);
}

type Part = Record<"set" | "patch" | "del", string[]>;
const emptyPart = (): Part => ({ set: [], patch: [], del: [] });

function* pieces({ set = {}, patch = {}, del = [] }: Changes): Generator<[keyof Part, string], void> {
  for (const text of members(Object.entries(set))) yield ["set", text];
  for (const text of members(Object.entries(patch))) yield ["patch", text];
  for (const text of items(del)) yield ["del", text];
}

function message(stream: StateStream, from: number, offset: number, { set, patch, del }: Part): Outgoing {
  const head = `{"t":"change","stream":"${stream}","from":${from},"offset":${offset}`;
  const setText = set.length > 0 ? `,"set":{${set.join(",")}}` : "";
  const patchText = patch.length > 0 ? `,"patch":{${patch.join(",")}}` : "";
  const delText = del.length > 0 ? `,"del":[${del.join(",")}]` : "";
  return { t: "change", bytes: Buffer.from(`${head}${setText}${patchText}${delText}}`) };
}

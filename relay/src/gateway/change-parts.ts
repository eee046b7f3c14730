import type { StateStream } from "@mulkko/shared/live/client-messages";
import { Change } from "@mulkko/shared/live/server-messages";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { CatchUp, Frame } from "../store/streams.ts";
import type { Outgoing } from "./outgoing.ts";
import { items, members } from "./parts.ts";

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

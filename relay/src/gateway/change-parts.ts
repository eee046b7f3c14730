import type { StateStream } from "@mulkko/shared/live/client-messages";
import { items, members } from "../core/parts.ts";
import type { CatchUp } from "../ports/streams.ts";
import type { Outgoing } from "./outgoing.ts";

type Resume = Extract<CatchUp, { kind: "resume" }>;

/** Bytes for the fields of a `change` beside its keys. */
const HEAD_BYTES = 128;

/**
 * The `change` messages of a catch-up, each of at most `maxBytes`, made one at a time (SLOW-1). All but the last
 * keep the reader at its offset (`offset` = `from`): a connection that breaks between them resumes from where it
 * was, and the keys it has seen meanwhile come once more. A step that touches no key makes one empty message.
 */
export function* changeParts(stream: StateStream, step: Resume, maxBytes: number): Generator<Outgoing, void> {
  let set: string[] = [];
  let del: string[] = [];
  let size = HEAD_BYTES;
  for (const [kind, text] of pieces(step)) {
    const bytes = Buffer.byteLength(text) + 1;
    if (size + bytes > maxBytes && set.length + del.length > 0) {
      yield change(stream, step.from, step.from, set, del);
      set = [];
      del = [];
      size = HEAD_BYTES;
    }
    (kind === "set" ? set : del).push(text);
    size += bytes;
  }
  yield change(stream, step.from, step.offset, set, del);
}

function* pieces(step: Resume): Generator<["set" | "del", string], void> {
  for (const text of members(Object.entries(step.set))) yield ["set", text];
  for (const text of items(step.del)) yield ["del", text];
}

function change(stream: StateStream, from: number, offset: number, set: string[], del: string[]): Outgoing {
  const head = `{"t":"change","stream":"${stream}","from":${from},"offset":${offset}`;
  const setText = set.length > 0 ? `,"set":{${set.join(",")}}` : "";
  const delText = del.length > 0 ? `,"del":[${del.join(",")}]` : "";
  return { t: "change", bytes: Buffer.from(`${head}${setText}${delText}}`) };
}

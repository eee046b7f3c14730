/**
 * A message on an account's channel: a header line and the message as sent to every session. `S` is a step of
 * `devices`, `E` an event, `B` another epoch of either, whose values are read from the store.
 */
export interface Publication {
  readonly kind: "S" | "E" | "B";
  /** The node that wrote it, which has applied it itself. */
  readonly node: string;
  readonly epoch: string;
  readonly body: Buffer;
}

const NEWLINE = 0x0a;
const HEADER = /^([SEB]) (\S+) (\S+)$/;
const EMPTY: Buffer = Buffer.alloc(0);

/** Writes the publications of one node. */
export type Publisher = (kind: Publication["kind"], epoch: string, body?: Buffer) => Buffer;

export const createPublisher =
  (node: string): Publisher =>
  (kind, epoch, body = EMPTY) =>
    Buffer.concat([Buffer.from(`${kind} ${node} ${epoch}\n`), body]);

/** Return the publication, or null for anything else, such as a newer version's. */
export function readPublication(bytes: Buffer): Publication | null {
  const end = bytes.indexOf(NEWLINE);
  const header = HEADER.exec(bytes.subarray(0, Math.max(end, 0)).toString());
  const [, kind, node, epoch] = header ?? [];
  if (node === undefined || epoch === undefined) return null;
  if (kind !== "S" && kind !== "E" && kind !== "B") return null;
  // Slow sessions keep a frame: copy it, so that it does not retain the socket's whole chunk.
  return { kind, node, epoch, body: Buffer.from(bytes.subarray(end + 1)) };
}

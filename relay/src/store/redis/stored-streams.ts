import { LiveEvent } from "@mulkko/shared/live/events";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { emptyState, type VersionedState } from "../changes-since.ts";
import type { LoggedEvent, StateValue } from "../streams.ts";
import { asList, asNumber, asPairs, asText } from "./script.ts";

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

/** Both streams of an account as stored in Redis; null for one that was never begun, or is lost. */
export interface StoredStreams {
  readonly devices: VersionedState | null;
  readonly events: { readonly epoch: string; readonly offset: number; readonly kept: LoggedEvent[] } | null;
}

/** Return an event as its log entry. */
export const eventEntry = ({ offset, event }: LoggedEvent): string =>
  `${Date.parse(event.at)}\n${offset}\n${JSON.stringify(event)}`;

function readEntry(entry: string, oldest: number): LoggedEvent[] {
  const [at = "", offset = "", text = ""] = entry.split("\n", 3);
  if (Number(at) < oldest) return [];
  const event = parseJson(LiveEvent, text);
  return event.ok ? [{ offset: Number(offset), event: event.value }] : [];
}

/** Return the newest range without a gap: a reader relies on consecutive offsets. */
function contiguous(kept: readonly LoggedEvent[], newest: number): LoggedEvent[] {
  let start = kept.length;
  while (start > 0 && kept[start - 1]?.offset === newest - (kept.length - start)) start -= 1;
  return kept.slice(start);
}

const Value = Type.Record(Type.String(), Type.Unknown());

/** Return the stored values; null if one is not JSON. Schema 1 shortened them: the farm API is read again. */
function readValues(reply: unknown): ReadonlyMap<string, StateValue> | null {
  const values = new Map<string, StateValue>();
  for (const [key, text] of asPairs(reply)) {
    const value = parseJson(Value, text);
    if (!value.ok) return null;
    values.set(key, value.value);
  }
  return values;
}

/**
 * Parse the answer of the `read` script.
 * @param now store time, ms UTC
 * @param monotonic the same moment on the clock by which tombstones age
 */
export function readStreams(reply: unknown, now: number, monotonic: number): StoredStreams {
  const [meta, values, index, tombstones, buried, log] = asList(reply);
  const [epoch, offset, floor, eventEpoch, eventOffset] = asList(meta).map(asText);
  let devices: VersionedState | null = null;
  const stored = readValues(values);
  if (epoch && stored) {
    devices = { ...emptyState(epoch), offset: asNumber(offset), floor: asNumber(floor) };
    const offsets = new Map(asPairs(index));
    for (const [key, value] of stored) {
      devices.values.set(key, { value, offset: Number(offsets.get(key) ?? devices.offset) });
    }
    const times = new Map(asPairs(buried));
    for (const [key, at] of asPairs(tombstones)) {
      const age = now - Number(times.get(key) ?? now);
      devices.tombstones.set(key, { offset: Number(at), at: monotonic - age });
    }
  }
  if (!eventEpoch) return { devices, events: null };
  const newest = asNumber(eventOffset);
  const oldest = now - LIVE_LIMITS.eventsKeptMs;
  const entries = asList(log).flatMap((entry) => readEntry(asText(entry), oldest));
  return { devices, events: { epoch: eventEpoch, offset: newest, kept: contiguous(entries, newest) } };
}

const Change = Type.Object({
  from: Type.Integer(),
  offset: Type.Integer(),
  set: Type.Optional(Type.Record(Type.String(), Value)),
  patch: Type.Optional(Type.Record(Type.String(), Value)),
  del: Type.Optional(Type.Array(Type.String())),
});
export type ReadChange = Type.Static<typeof Change>;

/** Return the `change` message of a published step, or null for anything else. */
export function readChange(body: Buffer): ReadChange | null {
  const change = parseJson(Change, body.toString());
  return change.ok ? change.value : null;
}

const EventBody = Type.Object({ offset: Type.Integer(), event: Type.Unknown() });

/** Return the event of a published `event` message, or null for anything else. */
export function readEvent(body: Buffer): LoggedEvent | null {
  const message = parseJson(EventBody, body.toString());
  if (!message.ok) return null;
  const event = parse(LiveEvent, message.value.event);
  return event.ok ? { offset: message.value.offset, event: event.value } : null;
}

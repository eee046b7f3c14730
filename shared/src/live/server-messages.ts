import { type Static, Type } from "typebox";
import { StorageFault } from "../rules/storage-fault.ts";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";
import { StreamName } from "./client-messages.ts";
import { LiveEvent } from "./events.ts";

const Offset = Type.Integer({ minimum: 0 });

/**
 * Values of the `devices` stream by key. Their shapes are in `devices.ts`; a frame that only passes through
 * is not parsed key by key.
 */
export const StateMap = TextRecord(TextRecord(Type.Unknown()));
export type StateMap = Static<typeof StateMap>;

export const Welcome = Type.Object({
  t: Type.Literal("welcome"),
  protocol: Type.Integer(),
  session: Type.String(),
  node: Type.String(),
  /** Build of the web client that this relay serves (HS-4). */
  build: Type.String(),
  serverTime: Instant,
  /** Seconds until the token ends (AUTH-1). */
  ttl: Type.Number(),
  apiTimezone: Type.String(),
  /** POLL-1: ms between two `active` messages of the client; absent in an older relay. */
  activeEveryMs: Type.Optional(Type.Integer({ minimum: 1_000 })),
  /** LIVE-1: ms between two `ask` messages of a visible page; absent in an older relay, which knows none. */
  askEveryMs: Type.Optional(Type.Integer({ minimum: 1_000 })),
  account: Type.Object({ id: Id, userType: Type.String(), timezone: Type.String() }),
});

export const Snapshot = Type.Object({
  t: Type.Literal("snapshot"),
  stream: StreamName,
  epoch: Type.String(),
  offset: Offset,
  part: Type.Integer({ minimum: 1 }),
  of: Type.Integer({ minimum: 1 }),
  /** `devices`: values by key. `events`: the newest 50, oldest first. */
  state: Type.Union([StateMap, Type.Array(Type.Object({ offset: Offset, event: LiveEvent }))]),
});

export const Change = Type.Object({
  t: Type.Literal("change"),
  stream: StreamName,
  from: Offset,
  offset: Offset,
  set: Type.Optional(StateMap),
  patch: Type.Optional(StateMap),
  del: Type.Optional(Type.Array(Type.String())),
});

export const EventMessage = Type.Object({
  t: Type.Literal("event"),
  stream: Type.Literal("events"),
  offset: Offset,
  event: LiveEvent,
});

export const Resumed = Type.Object({
  t: Type.Literal("resumed"),
  stream: StreamName,
  epoch: Type.String(),
  offset: Offset,
  /** Number of keys or events sent to catch up. */
  changed: Type.Integer({ minimum: 0 }),
});

export const Beat = Type.Object({
  t: Type.Literal("beat"),
  serverTime: Instant,
  /** Number of the `ask` that it answers; absent in a beat after a silence. */
  n: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Time of the last answer or message from the farm API or its broker; absent before the first. */
  heardAt: Type.Optional(Instant),
});

export const Link = Type.Object({
  t: Type.Literal("link"),
  upstream: Type.Union([
    Type.Literal("up"),
    Type.Literal("degraded"),
    Type.Literal("down"),
    Type.Literal("clock"),
  ]),
  mqtt: Type.Union([Type.Literal("up"), Type.Literal("down"), Type.Literal("off")]),
  store: Type.Union([Type.Literal("redis"), Type.Literal("embedded"), Type.Literal("down")]),
  since: Instant,
  /** Time of the last answer or message from the farm API or its broker. */
  heardAt: Type.Optional(Nullable(Instant)),
  /**
   * With `clock`: by how many ms the API's times seem to be ahead of the relay's; negative: behind (ONL-3).
   */
  suspectedOffset: Type.Optional(Type.Integer()),
  /** The farm API stores no readings, and since when; absent while it stores them or does not report. */
  notStoring: Type.Optional(Type.Object({ fault: StorageFault, since: Instant })),
});

export const ErrorMessage = Type.Object({
  t: Type.Literal("error"),
  code: Type.String(),
  message: Type.String(),
  temporary: Type.Boolean(),
  ref: Type.Optional(Type.String()),
});

export const Bye = Type.Object({
  t: Type.Literal("bye"),
  code: Type.Integer(),
  reason: Type.String(),
  retryAfterMs: Type.Number(),
});

/** All messages of the relay. */
export const ServerMessage = Type.Union([
  Welcome,
  Snapshot,
  Change,
  EventMessage,
  Resumed,
  Beat,
  Link,
  ErrorMessage,
  Bye,
]);
export type ServerMessage = Static<typeof ServerMessage>;
export type Welcome = Static<typeof Welcome>;
export type Snapshot = Static<typeof Snapshot>;
export type Change = Static<typeof Change>;
export type EventMessage = Static<typeof EventMessage>;
export type Resumed = Static<typeof Resumed>;
export type Link = Static<typeof Link>;
export type Bye = Static<typeof Bye>;

import { Active, Ask, Auth, Hello, Subscribe, Unsubscribe } from "@mulkko/shared/live/client-messages";
import {
  Beat,
  Bye,
  Change,
  ErrorMessage,
  EventMessage,
  Link,
  Resumed,
  Snapshot,
  Welcome,
} from "@mulkko/shared/live/server-messages";
import type { TSchema } from "typebox";

/** A message of the live protocol, with its name and description in the document. */
export interface DescribedMessage {
  /** Its `t`. */
  readonly name: string;
  readonly summary: string;
  readonly payload: TSchema;
}

/** Messages of a client, in their usual order. */
export const CLIENT_MESSAGES: readonly DescribedMessage[] = [
  {
    name: "hello",
    summary: "The first message of a connection, within 10 s: identifies the client (HS-1, AUTH-3).",
    payload: Hello,
  },
  { name: "auth", summary: "A fresh access token on the same connection (AUTH-1).", payload: Auth },
  {
    name: "subscribe",
    summary:
      "Subscribes to a stream: from a position, or else with a snapshot; `track` narrows it to keys (SUB-3, SUB-7). `fleet`, and another account by `as`, are for administrators (HS-2).",
    payload: Subscribe,
  },
  { name: "unsubscribe", summary: "Ends a stream.", payload: Unsubscribe },
  {
    name: "active",
    summary:
      "A user is looking: sent once a minute meanwhile, so that the account is polled as a watched one (POLL-1).",
    payload: Active,
  },
  {
    name: "ask",
    summary:
      "Asks for a `beat` with the same `n`, to notice a line that holds bytes back; every `askEveryMs` of the welcome while a user is looking (LIVE-1).",
    payload: Ask,
  },
];

/** Messages of the relay. */
export const SERVER_MESSAGES: readonly DescribedMessage[] = [
  { name: "welcome", summary: "The token was accepted; `ttl` is its remaining seconds.", payload: Welcome },
  {
    name: "snapshot",
    summary:
      "The whole state of one offset, in parts: after the last one the client is at `offset` (SLOW-3).",
    payload: Snapshot,
  },
  {
    name: "change",
    summary:
      "One step from `from` to `offset`: apply `set`, then `patch` by top-level fields, then `del`; only where `from` is the client's own offset (SUB-1).",
    payload: Change,
  },
  {
    name: "event",
    summary: "One line of the account's log; lines are never skipped (SUB-5).",
    payload: EventMessage,
  },
  {
    name: "resumed",
    summary: "Everything missed since the position was sent; the stream continues from `offset`.",
    payload: Resumed,
  },
  {
    name: "beat",
    summary: "Answers an `ask`; also sent when nothing else was for 15 s (LIVE-1).",
    payload: Beat,
  },
  {
    name: "link",
    summary: "State of the farm API, its broker and the store (ONL-4).",
    payload: Link,
  },
  {
    name: "error",
    summary: "A message was not accepted, or the farm API is unavailable; the connection stays open.",
    payload: ErrorMessage,
  },
  {
    name: "bye",
    summary: "The connection ends with this close code; below 4500 the client reconnects.",
    payload: Bye,
  },
];

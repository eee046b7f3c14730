import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { createListeners } from "../../streams/listeners.ts";
import { StoreUnavailableError } from "../errors.ts";
import { STORE_LIMITS } from "../limits.ts";
import { shardOf } from "../shard.ts";
import type { Inbox, NodeMessages } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { RedisKeys } from "./keys.ts";
import type { Leases } from "./leases.ts";
import { RECEIVE, SEND } from "./message-scripts.ts";
import { asList, asText } from "./reply.ts";

/** Work and answers between nodes. */
export interface RedisMessages {
  readonly inbox: Inbox;
  readonly node: NodeMessages;
  /** A message on this node's channel, or on that of all. */
  heard(message: Buffer): void;
  /** Work may wait for a shard that this node owns. */
  waiting(shard: number): void;
}

export interface MessageParts {
  readonly id: string;
  readonly connection: Connection;
  readonly keys: RedisKeys;
  readonly leases: () => Leases;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const Entry = Type.Object({ at: Type.Number(), account: Type.String(), message: Type.Unknown() });
const Told = Type.Object({ from: Type.String(), message: Type.Unknown() });
const POKE = /^W (\d+)$/;
const TOLD = "T ";

export function createRedisMessages(parts: MessageParts): RedisMessages {
  const { id, connection, keys, now, onError } = parts;
  const work = createListeners<{ accountId: string; message: unknown }>(onError);
  const told = createListeners<{ message: unknown; from: string }>(onError);

  const handOver = (text: string): void => {
    const entry = parseJson(Entry, text);
    if (!entry.ok) throw new TypeError(`A message in an inbox ${entry.message}.`);
    const { at, account, message } = entry.value;
    if (now() - at <= STORE_LIMITS.inboxMs) work.call({ accountId: account, message });
  };
  const receive = async (shard: number): Promise<void> => {
    const holder = parts.leases().holder(shard);
    if (holder === undefined) return;
    const names = keys.shard(shard);
    const entries = await connection.run(RECEIVE, [names.inbox, names.lease], [holder]);
    if (entries !== null) for (const entry of asList(entries)) handOver(asText(entry));
  };

  return {
    inbox: {
      async send(accountId, message) {
        const shard = shardOf(accountId);
        const entry = JSON.stringify({ at: now(), account: accountId, message });
        // Its own work needs no Redis: closing a valve works while that is away (NODE-3).
        if (parts.leases().owns(shard)) {
          handOver(entry);
          return;
        }
        const names = keys.shard(shard);
        await connection.run(SEND, [names.inbox, names.lease], [entry, keys.node(""), shard]);
      },
      onMessage: (handler) => work.add(({ accountId, message }) => handler(accountId, message)),
    },
    node: {
      id,
      async tell(nodeId, message) {
        const text = JSON.stringify({ from: id, message });
        if (nodeId === id) tellSelf(text, "itself");
        else await connection.call("PUBLISH", keys.node(nodeId), TOLD + text);
      },
      async tellOthers(message) {
        await connection.call("PUBLISH", keys.everyone, TOLD + JSON.stringify({ from: id, message }));
      },
      onTold: (handler) => told.add(({ message, from }) => handler(message, from)),
    },
    heard(message) {
      const text = message.toString();
      const poke = POKE.exec(text);
      if (poke) waiting(Number(poke[1]));
      else if (text.startsWith(TOLD)) tellSelf(text.slice(TOLD.length), "others");
    },
    waiting,
  };

  /** What this node tells all is told to it as well, and is no news to it. */
  function tellSelf(text: string, by: "itself" | "others"): void {
    const one = parseJson(Told, text);
    if (one.ok && by === "others" && one.value.from === id) return;
    if (one.ok) told.call(one.value);
    else onError(new TypeError(`A message for this node ${one.message}.`));
  }
  function waiting(shard: number): void {
    receive(shard).catch((error: unknown) => {
      // It waits until Redis is back, or is void by then.
      if (!(error instanceof StoreUnavailableError)) onError(error);
    });
  }
}

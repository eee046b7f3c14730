import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { StoreUnavailableError } from "../errors.ts";
import { STORE_LIMITS } from "../limits.ts";
import { shardOf } from "../shard.ts";
import type { Inbox, NodeMessages } from "../store.ts";
import { createListeners } from "../streams/listeners.ts";
import type { Connection } from "./connection.ts";
import type { RedisKeys } from "./keys.ts";
import type { Leases } from "./leases.ts";
import { asList, asText, script } from "./script.ts";

/**
 * Add work to the list of a shard's owner, and notify the owner. KEYS: inbox, lease. ARGV: entry, prefix of
 * nodes' channels, shard.
 */
const SEND = script(
  "send",
  `
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], ${-STORE_LIMITS.inbox}, -1)
redis.call('PEXPIRE', KEYS[1], ${STORE_LIMITS.inboxMs})
local holder = redis.call('GET', KEYS[2])
local node = holder and string.match(holder, '^(.*):%d+$')
if node then redis.call('PUBLISH', ARGV[2] .. node, 'W ' .. ARGV[3]) end
return 1
`,
);

/**
 * Take all work of a shard out. KEYS: inbox, lease. ARGV: holder. Returns false for any node but the owner.
 */
const RECEIVE = script(
  "receive",
  `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
local entries = redis.call('LRANGE', KEYS[1], 0, -1)
redis.call('DEL', KEYS[1])
return entries
`,
);

/** Work and answers between nodes. */
interface RedisMessages {
  readonly inbox: Inbox;
  readonly node: NodeMessages;
  /** Handle a message on this node's channel, or on that of all nodes. */
  received(message: Buffer): void;
  /** Note that work may wait for a shard that this node owns. */
  waiting(shard: number): void;
}

interface MessageDeps {
  readonly id: string;
  readonly connection: Connection;
  readonly keys: RedisKeys;
  readonly leases: Pick<Leases, "owns" | "holder">;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const Entry = Type.Object({ at: Type.Number(), account: Type.String(), message: Type.Unknown() });
const Reported = Type.Object({ from: Type.String(), message: Type.Unknown() });
const POKE = /^W (\d+)$/;
const MESSAGE_PREFIX = "T ";

export function createRedisMessages(deps: MessageDeps): RedisMessages {
  const { id, connection, keys, leases, now, onError } = deps;
  const work = createListeners<{ accountId: string; message: unknown }>(onError);
  const listeners = createListeners<{ message: unknown; from: string }>(onError);

  const handOver = (text: string): void => {
    const entry = parseJson(Entry, text);
    if (!entry.ok) throw new TypeError(`A message in an inbox ${entry.message}.`);
    const { at, account, message } = entry.value;
    if (now() - at <= STORE_LIMITS.inboxMs) work.call({ accountId: account, message });
  };
  const receive = async (shard: number): Promise<void> => {
    const holder = leases.holder(shard);
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
        // A node's own work needs no Redis: closing a valve works while Redis is away (NODE-3).
        if (leases.owns(shard)) {
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
      async send(nodeId, message) {
        const text = JSON.stringify({ from: id, message });
        if (nodeId === id) handleMessage(text, "itself");
        else await connection.call("PUBLISH", keys.node(nodeId), MESSAGE_PREFIX + text);
      },
      async sendToOthers(message) {
        await connection.call(
          "PUBLISH",
          keys.everyone,
          MESSAGE_PREFIX + JSON.stringify({ from: id, message }),
        );
      },
      onMessage: (handler) => listeners.add(({ message, from }) => handler(message, from)),
    },
    received(message) {
      const text = message.toString();
      const poke = POKE.exec(text);
      if (poke) waiting(Number(poke[1]));
      else if (text.startsWith(MESSAGE_PREFIX)) handleMessage(text.slice(MESSAGE_PREFIX.length), "others");
    },
    waiting,
  };

  /** Handle a message to all nodes. Ignore the node's own message when it returns from Redis. */
  function handleMessage(text: string, by: "itself" | "others"): void {
    const one = parseJson(Reported, text);
    if (one.ok && by === "others" && one.value.from === id) return;
    if (one.ok) listeners.call(one.value);
    else onError(new TypeError(`A message for this node ${one.message}.`));
  }
  function waiting(shard: number): void {
    receive(shard).catch((error: unknown) => {
      // The work waits until Redis is back, or expires.
      if (!(error instanceof StoreUnavailableError)) onError(error);
    });
  }
}

import { SHARDS } from "../shard.ts";
import type { Inbox, NodeMessages, ShardLeases, ShardListener } from "../store.ts";
import { createListeners } from "../streams/listeners.ts";

/** Create the inbox and messages of a single node: it receives what it sends. */
export function createOwnMessages(
  id: string,
  onError: (error: unknown) => void,
): { inbox: Inbox; node: NodeMessages } {
  const work = createListeners<{ accountId: string; message: unknown }>(onError);
  const listeners = createListeners<{ message: unknown; from: string }>(onError);
  return {
    inbox: {
      async send(accountId, message) {
        work.call({ accountId, message: copyOf(message) });
      },
      onMessage: (handler) => work.add(({ accountId, message }) => handler(accountId, message)),
    },
    node: {
      id,
      async send(nodeId, message) {
        if (nodeId === id) listeners.call({ message: copyOf(message), from: id });
      },
      sendToOthers: async () => undefined,
      onMessage: (handler) => listeners.add(({ message, from }) => handler(message, from)),
    },
  };
}

/** Copy a message as JSON, so that a handler gets the same types as over a network. */
const copyOf = (message: object): unknown => JSON.parse(JSON.stringify(message));

/** Create the shards of a single node: it owns all of them from its start until it is drained. */
export function createOwnShards(onError: (error: unknown) => void): ShardLeases {
  const listeners = new Set<ShardListener>();
  let isOwner = true;
  return {
    owns: () => isOwner,
    owned: () => (isOwner ? SHARDS : 0),
    nodes: () => 1,
    onChange(listener) {
      listeners.add(listener);
      for (let shard = 0; isOwner && shard < SHARDS; shard += 1) void listener(shard, true);
      return () => {
        listeners.delete(listener);
      };
    },
    confirm: async () => isOwner,
    async drain() {
      if (!isOwner) return;
      isOwner = false;
      const results: (void | Promise<void>)[] = [];
      for (let shard = 0; shard < SHARDS; shard += 1) {
        for (const listener of listeners) results.push(listener(shard, false));
      }
      for (const result of await Promise.allSettled(results)) {
        if (result.status === "rejected") onError(result.reason);
      }
    },
  };
}

import { SHARDS } from "../shard.ts";
import type { ShardLeases, ShardListener } from "../store.ts";

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

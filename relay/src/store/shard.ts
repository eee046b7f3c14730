/** Number of shards over which accounts are spread (NODE-5). */
export const SHARDS = 256;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Return the shard of an account, 0 to 255: FNV-1a over the id's UTF-8 bytes. Its halves are combined,
 * because the lowest bits alone spread short numbers unevenly. All nodes and versions must agree on it.
 */
export function shardOf(accountId: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(accountId)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return (hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & (SHARDS - 1);
}

/**
 * Id of the `fleet` stream in the store. It has a shard and an owner like an account's streams (NODE-5), but
 * no account. No farm API has an account with this id; a session that claims it is rejected.
 */
export const FLEET = "~fleet";

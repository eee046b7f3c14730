import { shardOf } from "../shard.ts";

/**
 * Names of all keys in Redis. All keys of a shard have its hash tag, so that one script may use them in a
 * cluster.
 */
export interface RedisKeys {
  readonly schema: string;
  readonly nodes: string;
  /** Channel on which released leases are announced. */
  readonly freed: string;
  /** Channel of all nodes. */
  readonly everyone: string;
  /** Return the channel of one node. */
  node(nodeId: string): string;
  passing(collection: string, key: string): string;
  readonly displays: DisplayKeys;
  shard(shard: number): ShardKeys;
  account(accountId: string): AccountKeys;
}

/** Keys of displays, all in one slot. */
export interface DisplayKeys {
  /** Hash: epoch, revision. */
  readonly mark: string;
  /** Hash id → JSON, and hash id → `at until`. */
  readonly displays: string;
  readonly seen: string;
  /** Hash code → text (`display-scripts.ts`), hash device → code, sorted set code → end. */
  readonly codes: string;
  readonly codeDevices: string;
  readonly codeEnds: string;
  /** Return the key of a guesser's `end count`. */
  guesses(who: string): string;
}

export interface ShardKeys {
  readonly lease: string;
  readonly fence: string;
  /** List of messages for the shard's owner. */
  readonly inbox: string;
  /** Set of account ids: watched without a viewer. */
  readonly watched: string;
  /** Return the set of account ids that have a document of a collection. */
  listed(name: string): string;
}

export interface AccountKeys extends ShardKeys {
  readonly accountId: string;
  readonly shard: number;
  /** Hash: epoch, offset, floor, step of `devices`; eepoch, eoffset, estep of `events`; replid, claim. */
  readonly meta: string;
  /**
   * Hash key → JSON of the value; sorted set key → offset; sorted set of removed keys →
   * offset; hash removed key → time.
   */
  readonly values: string;
  readonly index: string;
  readonly tombstones: string;
  readonly buried: string;
  /** List of `at␊offset␊JSON`, oldest first. */
  readonly events: string;
  /** Return a key of a collection's documents: a text, a hash id → text, or a sorted set id → time. */
  document(name: string): string;
  /** Sorted set poll unit → time. */
  readonly claims: string;
  /** Channel of the account's frames. */
  readonly channel: string;
}

/**
 * Create the names.
 * @param prefix of every name, so that several installations can share a Redis
 */
export function createKeys(prefix: string): RedisKeys {
  const shard = (number: number): ShardKeys => {
    const tag = `${prefix}{s${number}}:`;
    return {
      lease: `${tag}lease`,
      fence: `${tag}fence`,
      inbox: `${tag}in`,
      watched: `${tag}watched`,
      listed: (name) => `${tag}${name}`,
    };
  };
  return {
    schema: `${prefix}schema`,
    nodes: `${prefix}nodes`,
    freed: `${prefix}freed`,
    everyone: `${prefix}everyone`,
    node: (nodeId) => `${prefix}node:${nodeId}`,
    passing: (collection, key) => `${prefix}${collection}:${key}`,
    displays: {
      mark: `${prefix}{displays}:mark`,
      displays: `${prefix}{displays}:all`,
      seen: `${prefix}{displays}:seen`,
      codes: `${prefix}{displays}:codes`,
      codeDevices: `${prefix}{displays}:devices`,
      codeEnds: `${prefix}{displays}:ends`,
      guesses: (who) => `${prefix}{displays}:guesses:${who}`,
    },
    shard,
    account(accountId) {
      const number = shardOf(accountId);
      const base = `${prefix}{s${number}}:a:${accountId}:`;
      return {
        ...shard(number),
        accountId,
        shard: number,
        meta: `${base}meta`,
        values: `${base}v`,
        index: `${base}i`,
        tombstones: `${base}t`,
        buried: `${base}d`,
        events: `${base}e`,
        document: (name) => `${base}${name}`,
        claims: `${base}u`,
        channel: `${base}frames`,
      };
    },
  };
}

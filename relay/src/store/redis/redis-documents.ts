import { type Collection, type DocumentChange, SINGLE } from "../collections.ts";
import type { DocumentTexts, StoredText } from "../documents.ts";
import { STORE_LIMITS } from "../limits.ts";
import type { Argument, Connection } from "./connection.ts";
import type { Fenced } from "./fenced.ts";
import type { AccountKeys, ShardKeys } from "./keys.ts";
import { REDIS_LIMITS } from "./limits.ts";
import { asList, asNumber, asPairs, asText, script } from "./script.ts";
import { guarded } from "./stream-scripts.ts";

/**
 * Write documents of an account. ARGV: holder, claim, account; then of each collection `single`, `keyed` or
 * `dated`, the ms until its keys expire (0: never), the time before which documents are dropped (or nothing),
 * their largest number, `1` if its accounts are listed, the number of changes, and id, time and text of each;
 * a change without a time removes. KEYS: lease, meta; then of each collection its documents (a text, or a
 * hash), of a dated one their times, and of a listed one its set of accounts.
 */
const WRITE = `
local function prune(documents, times, before, most)
  local old = before == '' and {} or redis.call('ZRANGEBYSCORE', times, '-inf', '(' .. before)
  local surplus = redis.call('ZCARD', times) - #old - most
  if surplus > 0 then
    for _, id in ipairs(redis.call('ZRANGE', times, #old, #old + surplus - 1)) do old[#old + 1] = id end
  end
  for _, id in ipairs(old) do
    redis.call('HDEL', documents, id)
    redis.call('ZREM', times, id)
  end
end
local k, n = 3, 4
while n <= #ARGV do
  local shape, expires, before, most = ARGV[n], tonumber(ARGV[n + 1]), ARGV[n + 2], tonumber(ARGV[n + 3])
  local listed, count = ARGV[n + 4] == '1', tonumber(ARGV[n + 5])
  local documents, times = KEYS[k], nil
  k = k + 1
  if shape == 'dated' then
    times = KEYS[k]
    k = k + 1
  end
  n = n + 6
  for change = n, n + 3 * (count - 1), 3 do
    local id, at, text = ARGV[change], ARGV[change + 1], ARGV[change + 2]
    if at == '' then
      if shape == 'single' then redis.call('DEL', documents) else redis.call('HDEL', documents, id) end
      if times then redis.call('ZREM', times, id) end
    else
      if shape == 'single' then redis.call('SET', documents, text) else redis.call('HSET', documents, id, text) end
      if times then redis.call('ZADD', times, at, id) end
    end
  end
  n = n + 3 * count
  if times then prune(documents, times, before, most) end
  if expires > 0 then
    redis.call('PEXPIRE', documents, expires)
    if times then redis.call('PEXPIRE', times, expires) end
  end
  if listed then
    redis.call(redis.call('EXISTS', documents) == 1 and 'SADD' or 'SREM', KEYS[k], ARGV[3])
    k = k + 1
  end
end
return { 'ok' }
`;

/** The same under the owner's fence, and for documents that any node writes. */
const WRITE_OWNED = guarded("write-documents", WRITE);
const WRITE_ANY = script("write-any-documents", WRITE);

/** Return the set of the accounts of a shard that have a document of a listed collection. */
export const accountsKey = (of: Collection, names: ShardKeys): string =>
  names.listed(of.redis?.accounts ?? `with-${of.name}`);

const documentsKey = (of: Collection, names: AccountKeys): string =>
  names.document(of.redis?.documents ?? `doc:${of.name}`);
const timesKey = (of: Collection, names: AccountKeys): string =>
  names.document(of.redis?.times ?? `doc-times:${of.name}`);

/** Return the ms until the keys of a collection expire after a write; 0: never. */
function expiryOf(of: Collection): number {
  const ms = of.shape === "dated" ? of.forMs : of.shape === "keyed" ? of.idleMs : undefined;
  return ms === undefined ? 0 : ms + REDIS_LIMITS.releasedMs;
}

const isListed = (of: Collection): boolean => of.shape === "keyed" && of.listed === true;

/** Return the time before which documents are dropped, ms UTC; null: never. */
const oldestOf = (of: Collection, now: number): number | null =>
  of.shape === "dated" && of.forMs !== undefined ? now - of.forMs : null;

/** Keys and arguments of the script, without holder and claim. */
function stepOf(changes: readonly DocumentChange[], names: AccountKeys, now: number) {
  const byCollection = new Map<string, { of: Collection; changes: DocumentChange[] }>();
  for (const change of changes) {
    const known = byCollection.get(change.of.name);
    if (known) known.changes.push(change);
    else byCollection.set(change.of.name, { of: change.of, changes: [change] });
  }
  const keys: string[] = [];
  const args: Argument[] = [names.accountId];
  for (const { of, changes: some } of byCollection.values()) {
    keys.push(documentsKey(of, names));
    if (of.shape === "dated") keys.push(timesKey(of, names));
    if (isListed(of)) keys.push(accountsKey(of, names));
    const most = of.shape === "dated" ? of.atMost : 0;
    args.push(of.shape, expiryOf(of), oldestOf(of, now) ?? "", most, isListed(of) ? 1 : 0, some.length);
    for (const { key, at, text } of some) args.push(key, text === null ? "" : at, text ?? "");
  }
  return { keys, args };
}

/** Create the read and write of an account's documents in Redis. */
function createTexts(
  names: AccountKeys,
  call: Connection["call"],
  now: () => number,
  write: (keys: readonly string[], args: readonly Argument[]) => Promise<unknown>,
): DocumentTexts {
  return {
    async get(of, key) {
      if (of.shape === "single") return asTextOrNull(await call("GET", documentsKey(of, names)));
      if (of.shape === "dated") {
        const at = await call("ZSCORE", timesKey(of, names), key);
        if (at === null || asNumber(at) < (oldestOf(of, now()) ?? Number.NEGATIVE_INFINITY)) return null;
      }
      return asTextOrNull(await call("HGET", documentsKey(of, names), key));
    },
    async list(of, since) {
      if (of.shape === "single") return [];
      if (of.shape === "keyed") {
        const pairs = asPairs(await call("HGETALL", documentsKey(of, names)));
        return pairs.map(([key, text]) => ({ key, at: 0, text }));
      }
      const from = Math.max(since, oldestOf(of, now()) ?? 0);
      const range = ["+inf", from, "WITHSCORES", "LIMIT", 0, STORE_LIMITS.records];
      const newest = asPairs(await call("ZREVRANGEBYSCORE", timesKey(of, names), ...range)).reverse();
      if (newest.length === 0) return [];
      const texts = asList(await call("HMGET", documentsKey(of, names), ...newest.map(([key]) => key)));
      return newest.flatMap(([key, at], n): StoredText[] => {
        const text = texts[n];
        return typeof text === "string" ? [{ key, at: asNumber(at), text }] : [];
      });
    },
    async write(changes) {
      const { keys, args } = stepOf(changes, names, now());
      await write(keys, args);
    },
  };
}

const asTextOrNull = (reply: unknown): string | null => (reply === null ? null : asText(reply));

/** Create the documents of an account that any node writes. */
export function createSharedTexts(names: AccountKeys, connection: Connection, now: () => number) {
  return createTexts(names, connection.call, now, (keys, args) =>
    connection.run(WRITE_ANY, [names.lease, names.meta, ...keys], ["", "", ...args]),
  );
}

/** The documents of one account, for its owner, which can write them again after Redis has lost them (NODE-2). */
export class OwnedTexts implements DocumentTexts {
  readonly #texts: DocumentTexts;
  /** Documents of rewritten collections, as far as this owner has read or written them. */
  readonly #kept = new Map<string, DocumentChange>();
  readonly #read = new Map<string, Promise<void>>();

  constructor(names: AccountKeys, fenced: Fenced, now: () => number) {
    this.#texts = createTexts(names, fenced.call, now, (keys, args) => fenced.run(WRITE_OWNED, keys, args));
  }

  async get(of: Collection, key: string): Promise<string | null> {
    await this.#keep(of);
    return this.#texts.get(of, key);
  }

  async list(of: Collection, since: number): Promise<StoredText[]> {
    await this.#keep(of);
    return this.#texts.list(of, since);
  }

  async write(changes: readonly DocumentChange[]): Promise<void> {
    const rewritten = changes.filter(({ of }) => of.rewritten === true);
    for (const { of } of rewritten) await this.#keep(of);
    const kept = rewritten.map((change) => [keptKey(change), change.text === null ? null : change] as const);
    await putAhead(this.#kept, kept, () => this.#texts.write(changes));
  }

  /** Write again what Redis may have lost. */
  async rewrite(): Promise<void> {
    if (this.#kept.size > 0) await this.#texts.write([...this.#kept.values()]);
  }

  /** Read once what this owner would write again. */
  async #keep(of: Collection): Promise<void> {
    if (of.rewritten !== true) return;
    const known = this.#read.get(of.name);
    if (known) return known;
    const read = this.#readAll(of);
    this.#read.set(of.name, read);
    read.catch(() => this.#read.delete(of.name));
    return read;
  }

  async #readAll(of: Collection): Promise<void> {
    if (of.shape === "single") {
      const text = await this.#texts.get(of, SINGLE);
      if (text !== null) this.#kept.set(keptKey({ of, key: SINGLE }), { of, key: SINGLE, at: 0, text });
      return;
    }
    for (const one of await this.#texts.list(of, 0)) this.#kept.set(keptKey({ of, ...one }), { of, ...one });
  }
}

const keptKey = ({ of, key }: Pick<DocumentChange, "of" | "key">): string => `${of.name}\n${key}`;

/**
 * Change a map while its stored mirror is written, and revert it if that fails. A rewrite after a loss may
 * come at any moment. It must restore neither what is being removed nor what was refused.
 * @param changes by key; null removes one
 */
export async function putAhead<T>(
  map: Map<string, T>,
  changes: readonly (readonly [key: string, value: T | null])[],
  write: () => Promise<unknown>,
): Promise<void> {
  const put = (key: string, value: T | null | undefined): void => {
    if (value === null || value === undefined) map.delete(key);
    else map.set(key, value);
  };
  const before = changes.map(([key]) => [key, map.get(key)] as const);
  for (const [key, value] of changes) put(key, value);
  try {
    await write();
  } catch (error) {
    for (const [key, value] of before) put(key, value);
    throw error;
  }
}

/** An answer of Redis; pairs are flat lists. */
export type Reply = string | number | null | readonly Reply[];

/** An error that Redis answers. */
export class RedisError extends Error {
  override readonly name = "ReplyError";
}

type Command = (args: readonly string[], now: number) => Reply;

function textOf(arg: string | undefined): string {
  if (arg === undefined) throw new RedisError("ERR wrong number of arguments");
  return arg;
}

function numberOf(arg: string | undefined): number {
  const number = Number(textOf(arg));
  if (Number.isNaN(number)) throw new RedisError("ERR value is not an integer or out of range");
  return number;
}

/** Return a function that compares a score with a limit as `5`, `(5` or `-inf`: below it negative, on it 0. */
function limitOf(arg: string | undefined): (score: number) => number {
  const text = textOf(arg);
  const isOpen = text.startsWith("(");
  const bare = isOpen ? text.slice(1) : text;
  if (bare === "-inf") return () => 1;
  if (bare === "+inf") return () => -1;
  const at = numberOf(bare);
  // Beyond an open limit by its own side only; both sides are asked for with the sign of theirs.
  return (score) => (score === at && isOpen ? Number.NaN : score - at);
}

/** Return the indexes of a range in a list of this length, the second one after it; negative ones count from its end. */
function rangeOf(length: number, first: string | undefined, last: string | undefined): [number, number] {
  const index = (arg: string | undefined): number => {
    const given = numberOf(arg);
    return given < 0 ? length + given : given;
  };
  return [Math.max(0, index(first)), Math.max(0, index(last) + 1)];
}

function pairsOf(args: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let n = 0; n < args.length; n += 2) pairs.push([textOf(args[n]), textOf(args[n + 1])]);
  return pairs;
}

const isOption = (arg: string | undefined, name: string): boolean => arg?.toUpperCase() === name;

/** Commands that change what is stored. */
const WRITING: ReadonlySet<string> = new Set([
  ...["DEL", "SET", "INCR", "PEXPIRE", "HSET", "HSETNX", "HDEL", "HINCRBY", "RPUSH", "LPOP", "LTRIM"],
  ...["SADD", "SREM", "ZADD", "ZREM", "ZREMRANGEBYRANK", "ZREMRANGEBYSCORE"],
]);

export const isWriting = (command: string): boolean => WRITING.has(command);

/** The values of one kind, by key. A key without anything in it does not exist. */
class Kind<V> {
  readonly #values = new Map<string, V>();
  readonly #create: () => V;
  readonly #sizeOf: (value: V) => number;

  constructor(create: () => V, sizeOf: (value: V) => number) {
    this.#create = create;
    this.#sizeOf = sizeOf;
  }

  /** Read a value; an empty one if there is none. */
  read(key: string | undefined): V {
    return this.#values.get(textOf(key)) ?? this.#create();
  }

  /** Change a value in place. */
  change<R>(key: string | undefined, run: (value: V) => R): R {
    const value = this.read(key);
    const result = run(value);
    if (this.#sizeOf(value) > 0) this.#values.set(textOf(key), value);
    else this.#values.delete(textOf(key));
    return result;
  }

  /** Copy all values from another one. */
  take(other: Kind<V>, copy: (value: V) => V): void {
    for (const [key, value] of other.#values) this.#values.set(key, copy(value));
  }

  has = (key: string): boolean => this.#values.has(key);
  delete = (key: string): boolean => this.#values.delete(key);
}

/** The content of a Redis: the commands that the relay uses, with the meaning that Redis gives them. */
export class RedisData {
  readonly #texts = new Kind<{ text?: string }>(
    () => ({}),
    ({ text }) => (text === undefined ? 0 : 1),
  );
  readonly #hashes = new Kind<Map<string, string>>(
    () => new Map(),
    ({ size }) => size,
  );
  readonly #scores = new Kind<Map<string, number>>(
    () => new Map(),
    ({ size }) => size,
  );
  readonly #lists = new Kind<string[]>(
    () => [],
    ({ length }) => length,
  );
  readonly #sets = new Kind<Set<string>>(
    () => new Set(),
    ({ size }) => size,
  );
  /** End of each key that has one, ms UTC by the clock of Redis. */
  readonly #ends = new Map<string, number>();

  /**
   * Run a command.
   *
   * @param now ms UTC by the clock of Redis
   * @throws RedisError
   */
  run(name: string, args: readonly string[], now: number): Reply {
    const command = this.#commands[name];
    if (!command) throw new RedisError(`ERR unknown command '${name}'`);
    // The keys of the commands with several are removed when they are asked for by themselves.
    for (const key of args.slice(0, name === "DEL" ? undefined : 1)) {
      if ((this.#ends.get(key) ?? Number.POSITIVE_INFINITY) <= now) this.#delete(key);
    }
    return command(args, now);
  }

  /** Return another one with the same in it. */
  copy(): RedisData {
    const copy = new RedisData();
    copy.#texts.take(this.#texts, (kept) => ({ ...kept }));
    copy.#hashes.take(this.#hashes, (hash) => new Map(hash));
    copy.#scores.take(this.#scores, (scores) => new Map(scores));
    copy.#lists.take(this.#lists, (list) => [...list]);
    copy.#sets.take(this.#sets, (set) => new Set(set));
    for (const [key, end] of this.#ends) copy.#ends.set(key, end);
    return copy;
  }

  #delete(key: string): boolean {
    this.#ends.delete(key);
    const kinds = [this.#texts, this.#hashes, this.#scores, this.#lists, this.#sets];
    return kinds.map((kind) => kind.delete(key)).some((wasThere) => wasThere);
  }

  #exists(key: string): boolean {
    const kinds = [this.#texts, this.#hashes, this.#scores, this.#lists, this.#sets];
    return kinds.some((kind) => kind.has(key));
  }

  /** Members of a sorted set in its order, with their scores. */
  #sorted(key: string | undefined): [string, number][] {
    return [...this.#scores.read(key)].sort(
      ([one, low], [other, high]) => low - high || (one < other ? -1 : 1),
    );
  }

  /** The same, of the scores between two limits. */
  #within(key: string | undefined, least: string | undefined, most: string | undefined): [string, number][] {
    const [low, high] = [limitOf(least), limitOf(most)];
    return this.#sorted(key).filter(([, score]) => low(score) >= 0 && high(score) <= 0);
  }

  #set([key, value, option, ms]: readonly string[], now: number): Reply {
    const name = textOf(key);
    this.#delete(name);
    this.#texts.change(name, (kept) => {
      kept.text = textOf(value);
    });
    if (isOption(option, "PX")) this.#ends.set(name, now + numberOf(ms));
    else if (option !== undefined) throw new RedisError("ERR syntax error");
    return "OK";
  }

  readonly #commands: Readonly<Record<string, Command>> = {
    DEL: (keys) => keys.filter((key) => this.#delete(key)).length,
    EXISTS: ([key]) => (this.#exists(textOf(key)) ? 1 : 0),
    GET: ([key]) => this.#texts.read(key).text ?? null,
    SET: (args, now) => this.#set(args, now),
    INCR: ([key]) =>
      this.#texts.change(key, (kept) => {
        const next = numberOf(kept.text ?? "0") + 1;
        kept.text = `${next}`;
        return next;
      }),
    PEXPIRE: ([key, ms], now) => {
      const name = textOf(key);
      if (!this.#exists(name)) return 0;
      this.#ends.set(name, now + numberOf(ms));
      return 1;
    },
    HGET: ([key, field]) => this.#hashes.read(key).get(textOf(field)) ?? null,
    HMGET: ([key, ...fields]) => fields.map((field) => this.#hashes.read(key).get(field) ?? null),
    HGETALL: ([key]) => [...this.#hashes.read(key)].flat(),
    HEXISTS: ([key, field]) => (this.#hashes.read(key).has(textOf(field)) ? 1 : 0),
    HSET: ([key, ...pairs]) =>
      this.#hashes.change(key, (hash) => {
        const before = hash.size;
        for (const [field, value] of pairsOf(pairs)) hash.set(field, value);
        return hash.size - before;
      }),
    HSETNX: ([key, field, value]) =>
      this.#hashes.change(key, (hash) => {
        if (hash.has(textOf(field))) return 0;
        hash.set(textOf(field), textOf(value));
        return 1;
      }),
    HDEL: ([key, ...fields]) =>
      this.#hashes.change(key, (hash) => fields.filter((field) => hash.delete(field)).length),
    HINCRBY: ([key, field, by]) =>
      this.#hashes.change(key, (hash) => {
        const next = numberOf(hash.get(textOf(field)) ?? "0") + numberOf(by);
        hash.set(textOf(field), `${next}`);
        return next;
      }),
    LLEN: ([key]) => this.#lists.read(key).length,
    LINDEX: ([key, index]) => this.#lists.read(key).at(numberOf(index)) ?? null,
    LRANGE: ([key, first, last]) => {
      const list = this.#lists.read(key);
      return list.slice(...rangeOf(list.length, first, last));
    },
    LTRIM: ([key, first, last]) =>
      this.#lists.change(key, (list) => {
        const kept = list.slice(...rangeOf(list.length, first, last));
        list.splice(0, list.length, ...kept);
        return "OK";
      }),
    RPUSH: ([key, ...values]) => this.#lists.change(key, (list) => list.push(...values)),
    LPOP: ([key]) => this.#lists.change(key, (list) => list.shift() ?? null),
    SADD: ([key, ...members]) =>
      this.#sets.change(key, (set) => {
        const before = set.size;
        for (const member of members) set.add(member);
        return set.size - before;
      }),
    SREM: ([key, ...members]) =>
      this.#sets.change(key, (set) => members.filter((member) => set.delete(member)).length),
    SMEMBERS: ([key]) => [...this.#sets.read(key)],
    ZADD: ([key, ...pairs]) =>
      this.#scores.change(key, (scores) => {
        const before = scores.size;
        for (const [score, member] of pairsOf(pairs)) scores.set(member, numberOf(score));
        return scores.size - before;
      }),
    ZREM: ([key, ...members]) =>
      this.#scores.change(key, (scores) => members.filter((member) => scores.delete(member)).length),
    ZCARD: ([key]) => this.#scores.read(key).size,
    ZSCORE: ([key, member]) => {
      const score = this.#scores.read(key).get(textOf(member));
      return score === undefined ? null : `${score}`;
    },
    ZRANGE: ([key, first, last, option]) => {
      const all = this.#sorted(key);
      const found = all.slice(...rangeOf(all.length, first, last));
      return found.flatMap(([member, score]) =>
        isOption(option, "WITHSCORES") ? [member, `${score}`] : [member],
      );
    },
    ZRANGEBYSCORE: ([key, least, most]) => this.#within(key, least, most).map(([member]) => member),
    ZREVRANGEBYSCORE: ([key, most, least, ...options]) => {
      const hasScores = isOption(options[0], "WITHSCORES");
      const [option, from, count] = hasScores ? options.slice(1) : options;
      const found = this.#within(key, least, most).reverse();
      const some = isOption(option, "LIMIT")
        ? found.slice(numberOf(from), numberOf(from) + numberOf(count))
        : found;
      return some.flatMap(([member, score]) => (hasScores ? [member, `${score}`] : [member]));
    },
    ZREMRANGEBYSCORE: ([key, least, most]) => {
      const found = this.#within(key, least, most);
      return this.#scores.change(key, (scores) => found.filter(([member]) => scores.delete(member)).length);
    },
    ZREMRANGEBYRANK: ([key, first, last]) => {
      const all = this.#sorted(key);
      const found = all.slice(...rangeOf(all.length, first, last));
      return this.#scores.change(key, (scores) => found.filter(([member]) => scores.delete(member)).length);
    },
    TIME: (_args, now) => [`${Math.floor(now / 1_000)}`, `${Math.floor((now % 1_000) * 1_000)}`],
  };
}

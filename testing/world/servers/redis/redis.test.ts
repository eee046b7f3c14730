import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { afterEach, describe, expect, test } from "vitest";
import { putSingle } from "../../../../relay/src/store/collections.ts";
import { describeStore } from "../../../../relay/src/store/contract.suite.ts";
import type { StoreHarness } from "../../../../relay/src/store/durable.suite.ts";
import { createRedisStore } from "../../../../relay/src/store/redis/redis-store.ts";
import { SHARDS } from "../../../../relay/src/store/shard.ts";
import type { Store } from "../../../../relay/src/store/store.ts";
import { anySettings, foundSingle } from "../../../../relay/testing/any-documents.ts";
import { Line } from "../../network/line.ts";
import { Machine } from "../../network/machine.ts";
import { WorldTime } from "../../network/world-time.ts";
import { settled } from "../../settled.ts";
import { clientsOver } from "./redis-client.ts";
import { RedisData } from "./redis-data.ts";
import { RedisServer } from "./redis-server.ts";

const START = Date.UTC(2026, 4, 1);
const RIGHT = { offsetMs: 0, drift: 0 };

/** A clock that a test can advance, on that of a machine. */
interface MovedClock extends FakeClock {
  readonly moved: number;
}

function movedClock(machine: Machine): MovedClock {
  let steady = 0;
  let wall = 0;
  return {
    now: () => machine.clock.now() + wall,
    monotonic: () => machine.clock.monotonic() + steady,
    get moved() {
      return steady;
    },
    advance(ms) {
      steady += ms;
      wall += ms;
    },
    jump(ms) {
      wall += ms;
    },
  };
}

/** A Redis in a world whose time goes on by itself, faster than ours. */
class RedisWorld {
  readonly time = new WorldTime(START, settled);
  readonly server = new RedisServer(new Machine("redis", this.time, RIGHT));
  readonly clock: MovedClock;
  readonly errors: unknown[] = [];
  readonly #machine = new Machine("relay", this.time, RIGHT);
  readonly line = new Line(this.#machine, this.server.machine, this.time, seededRandom(7));
  readonly #loop: Promise<void>;
  #isOver = false;
  #ids = 0;

  constructor() {
    this.clock = movedClock(this.#machine);
    this.server.start();
    this.#loop = this.#goOn();
  }

  async #goOn(): Promise<void> {
    while (!this.#isOver) await this.time.run(this.time.now + 100);
  }

  async until(isSo: () => boolean): Promise<void> {
    const end = this.time.now + 120_000;
    while (!isSo()) {
      if (this.time.now > end) throw new Error("it did not happen within two minutes of the world");
      // A turn of the event loop would be work, for which the world waits.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async open(): Promise<Store> {
    const process = this.#machine.boot();
    const { clock } = this;
    const id = (): string => {
      this.#ids += 1;
      return `id-${this.#ids}`;
    };
    const store = createRedisStore(
      {
        ...{ url: "redis://world", nodeId: id(), clock, timers: process.timers, newEpoch: id },
        createClient: clientsOver(this.line, this.time, process, this.server),
        onError: (error) => this.errors.push(error),
        onOutage: (reason) => this.errors.push(reason),
      },
      (time) => time + clock.moved,
    );
    await this.until(() => store.shards.owned() === SHARDS);
    return store;
  }

  /** Stop its time. Two worlds in one process would wait for each other. */
  end(): Promise<void> {
    this.#isOver = true;
    return this.#loop;
  }
}

let worlds: RedisWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.map((world) => world.end()));
  worlds = [];
});

function begin(): RedisWorld {
  const world = new RedisWorld();
  worlds.push(world);
  return world;
}

async function openHarness(): Promise<StoreHarness> {
  const world = begin();
  let store = await world.open();
  return {
    clock: world.clock,
    get store() {
      return store;
    },
    async restart() {
      await store.close();
      store = await world.open();
    },
    async close() {
      await store.close();
      await world.end();
      expect(world.errors).toEqual([]);
    },
  };
}

describe("[world] the Redis of a world keeps the contract of stores", () => describeStore(openHarness));

describe("[world] the Redis of a world", () => {
  test("[world] keeps what was written, and knows no script, after a kill", async () => {
    const world = begin();
    const { server } = world;
    server.run("EVAL", ["return redis.call('SET', KEYS[1], ARGV[1])", "1", "key", "value"]);
    server.kill();
    server.start();
    expect(server.run("GET", ["key"])).toBe("value");
    expect(() => server.run("EVALSHA", ["a".repeat(40), "0"])).toThrow(/^NOSCRIPT/);
  });

  test("[world] loses the newest writes with a failover, and begins another history", async () => {
    const world = begin();
    const { server, time } = world;
    const before = server.run("INFO", ["replication"]);
    server.run("SET", ["old", "1"]);
    const { now } = time;
    await world.until(() => time.now > now + 1_000);
    server.run("SET", ["new", "1"]);
    server.failOver();
    expect(server.run("GET", ["old"])).toBe("1");
    expect(server.run("GET", ["new"])).toBeNull();
    expect(server.run("INFO", ["replication"])).not.toBe(before);
  });

  test("[world] ends a store's connections while its line is held, and serves it again", async () => {
    const world = begin();
    const store = await world.open();
    const account = await store.claim("a1");
    world.line.hold("there", "back");
    await world.until(() => !store.available);
    await expect(account.documents.write([putSingle(anySettings, { a: 1 })])).rejects.toThrow(/Redis/);
    world.line.mend();
    await world.until(() => store.available);
    await account.documents.write([putSingle(anySettings, { a: 2 })]);
    expect(await foundSingle(account.documents, anySettings)).toEqual({ a: 2 });
    await store.close();
  });

  test("[NODE-3] an outage of Redis is reported by its reason, once, and by no check of its settings", async () => {
    const world = begin();
    const store = await world.open();
    world.line.hold("there", "back");
    await world.until(() => !store.available);
    const { now } = world.time;
    await world.until(() => world.time.now > now + 90_000);
    expect(world.errors).toEqual(["Command timed out"]);
    world.line.mend();
    await world.until(() => store.available);
    await store.close();
  });

  test("[world] forgets a key at its end", () => {
    const data = new RedisData();
    data.run("SET", ["a", "1", "PX", "100"], START);
    expect(data.run("GET", ["a"], START + 99)).toBe("1");
    expect(data.run("EXISTS", ["a"], START + 100)).toBe(0);
  });
});

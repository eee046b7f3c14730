import type { Timers } from "@mulkko/shared/rules/clock";
import { StoreUnavailableError } from "../errors.ts";
import { STORE_LIMITS } from "../limits.ts";
import { SHARDS } from "../shard.ts";
import type { ShardLeases, ShardListener } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { RedisKeys } from "./keys.ts";
import { GIVE_BACK, HEARTBEAT, RENEW, TAKE } from "./lease-scripts.ts";
import { REDIS_LIMITS } from "./limits.ts";
import { asList, asNumber, asText } from "./script.ts";
import type { StoreClock } from "./store-clock.ts";

interface Lease {
  readonly fence: number;
  /** `node:fence`, as stored in Redis. */
  readonly holder: string;
  /** Monotonic ms before which it cannot have ended. */
  until: number;
  giving: boolean;
}

/** Observes the leases of this node. */
export interface LeaseObserver {
  /** Messages wait for the shard's owner. */
  waiting(shard: number): void;
  /** This node no longer owns a lease, for any reason. */
  gone(shard: number): void;
  /** Redis has lost the shard's data, and this node continues as its owner. */
  loss(shard: number): void;
}

export interface LeaseDeps {
  readonly node: string;
  readonly connection: Connection;
  readonly keys: RedisKeys;
  readonly clock: StoreClock;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
}

/** ms after which a released lease is looked for. */
const SOON_MS = 50;

/**
 * The leases on shards (NODE-5): 6 s, renewed every 2 s, with a search for free ones every second. While Redis is away
 * a node keeps its shards (NODE-3): no other node can take one then, and the first answer shows if it still has them.
 *
 * ```
 *            it is free, and this node has less than its share
 *   (other) ───────────────────────────────────────────────────▶ owned ──┐ renewed; "lost": Redis has lost the data,
 *     ▲  ▲                                                       │  │ ▲──┘ and this node goes on as its owner
 *     │  │ "taken", or a write found another holder              │  │
 *     │  └───────────────────────────────────────────────────────┘  │ more than its share, or the node drains
 *     │                                                             ▼
 *     └──────────── its listeners are done, or after 3 s ────── giving (owned by no listener)
 * ```
 */
export class Leases implements ShardLeases {
  readonly #deps: LeaseDeps;
  readonly #leases = new Map<number, Lease>();
  readonly #listeners = new Set<ShardListener>();
  /** Shard to look at first: nodes that start together begin with different ones. */
  readonly #first;
  #nodes = 1;
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** Monotonic ms of the last heartbeat that Redis answered. */
  #aliveAt: number | undefined;
  /** Monotonic ms until which no lease is taken: the others may not have renewed theirs. */
  #patientUntil = Number.NEGATIVE_INFINITY;
  #draining = false;
  #closed = false;
  #observer: LeaseObserver | undefined;
  #looking: Promise<void> | undefined;
  #timer: { cancel(): void } | undefined;
  readonly #stopListening;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
    const { node, connection } = this.#deps;
    this.#first = [...node].reduce((sum, letter) => sum + letter.charCodeAt(0) * 31, 0) % SHARDS;
    this.#stopListening = connection.onAvailable((available) => {
      if (!available) return;
      this.#renewedAt = Number.NEGATIVE_INFINITY;
      this.#look();
    });
  }

  owns(shard: number): boolean {
    return this.#leases.get(shard)?.giving === false;
  }

  owned(): number {
    let count = 0;
    for (const lease of this.#leases.values()) if (!lease.giving) count += 1;
    return count;
  }

  nodes(): number {
    return this.#nodes;
  }

  onChange(listener: ShardListener): () => void {
    this.#listeners.add(listener);
    for (const [shard, lease] of this.#leases) if (!lease.giving) void this.#notifyOne(listener, shard, true);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async confirm(shard: number): Promise<boolean> {
    const lease = this.#leases.get(shard);
    if (!lease) return false;
    return (await this.#deps.connection.call("GET", this.#deps.keys.shard(shard).lease)) === lease.holder;
  }

  async drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    this.#timer?.cancel();
    await this.#looking;
    const given = [...this.#leases].map(([shard, lease]) => this.#giveBack(shard, lease));
    // A lease that cannot be released ends by itself.
    for (const result of await Promise.allSettled([...given, this.#heartbeat(true)])) {
      if (result.status === "rejected" && !(result.reason instanceof StoreUnavailableError))
        this.#deps.onError(result.reason);
    }
  }

  /** Return the holder that a write compares with; undefined if another node owns the shard. */
  holder(shard: number): string | undefined {
    return this.#leases.get(shard)?.holder;
  }

  /** Note that a write found another holder. */
  lost(shard: number): void {
    this.#drop(shard);
  }

  /** Renew a lease for which a write found no holder, if no other node had it since. False: it is lost. */
  async hold(shard: number): Promise<boolean> {
    const lease = this.#leases.get(shard);
    return lease !== undefined && this.#renew(shard, lease);
  }

  /** Look for free leases soon: another node has released some. */
  lookSoon(): void {
    if (this.#closed || this.#draining || this.#looking) return;
    this.#timer?.cancel();
    this.#timer = this.#deps.timers.after(SOON_MS, () => this.#look());
  }

  observe(one: LeaseObserver): void {
    this.#observer = one;
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#stopListening();
  }

  async #notifyOne(listener: ShardListener, shard: number, owned: boolean): Promise<void> {
    try {
      await listener(shard, owned);
    } catch (error) {
      this.#deps.onError(error);
    }
  }

  #notify(shard: number, owned: boolean): Promise<unknown> {
    return Promise.all([...this.#listeners].map((listener) => this.#notifyOne(listener, shard, owned)));
  }

  #drop(shard: number): void {
    const lease = this.#leases.get(shard);
    if (!lease) return;
    this.#leases.delete(shard);
    if (!lease.giving) void this.#notify(shard, false);
    this.#observer?.gone(shard);
  }

  async #heartbeat(leaving: boolean): Promise<void> {
    const { clock } = this.#deps;
    const askedAt = clock.monotonic();
    const reply = asList(
      await this.#deps.connection.run(
        HEARTBEAT,
        [this.#deps.keys.nodes],
        [this.#deps.node, REDIS_LIMITS.leaseMs, leaving ? "1" : "0"],
      ),
    );
    const time = asNumber(reply[0]) * 1_000 + asNumber(reply[1]) / 1_000;
    clock.measured(time, askedAt);
    this.#nodes = Math.max(1, asNumber(reply[2]));
    const isForgotten = asNumber(reply[3]) === 0;
    // Away for so long that leases of any node may have ended without a renewal.
    const wasAway = askedAt - (this.#aliveAt ?? askedAt) > REDIS_LIMITS.leaseMs - REDIS_LIMITS.renewMs;
    if (wasAway || (isForgotten && this.#aliveAt !== undefined)) {
      this.#patientUntil = clock.monotonic() + REDIS_LIMITS.patienceMs;
    }
    this.#aliveAt = clock.monotonic();
  }

  async #renew(shard: number, lease: Lease): Promise<boolean> {
    const names = this.#deps.keys.shard(shard);
    const askedAt = this.#deps.clock.monotonic();
    const isCertain = askedAt < lease.until ? "1" : "0";
    const args = [lease.holder, lease.fence, REDIS_LIMITS.leaseMs, isCertain];
    const reply = asList(
      await this.#deps.connection.run(RENEW, [names.lease, names.fence, names.inbox], args),
    );
    const state = asText(reply[0]);
    if (this.#leases.get(shard) !== lease) return false;
    if (state === "taken") {
      this.#drop(shard);
      return false;
    }
    lease.until = askedAt + REDIS_LIMITS.leaseMs;
    if (state === "lost") this.#observer?.loss(shard);
    if (asNumber(reply[1]) > 0) this.#observer?.waiting(shard);
    return true;
  }

  async #acquire(shard: number): Promise<boolean> {
    const { node } = this.#deps;
    const names = this.#deps.keys.shard(shard);
    const askedAt = this.#deps.clock.monotonic();
    const fence = await this.#deps.connection.run(
      TAKE,
      [names.lease, names.fence],
      [node, REDIS_LIMITS.leaseMs],
    );
    if (fence === null) return false;
    const lease = {
      fence: asNumber(fence),
      holder: `${node}:${String(fence)}`,
      until: askedAt + REDIS_LIMITS.leaseMs,
      giving: false,
    };
    this.#leases.set(shard, lease);
    if (this.#draining || this.#closed) {
      await this.#giveBack(shard, lease);
      return false;
    }
    void this.#notify(shard, true);
    this.#observer?.waiting(shard);
    return true;
  }

  async #giveBack(shard: number, lease: Lease): Promise<void> {
    const { keys } = this.#deps;
    if (!lease.giving) {
      lease.giving = true;
      const patience = new Promise<void>((resolve) =>
        this.#deps.timers.after(STORE_LIMITS.givingAwayMs, resolve),
      );
      await Promise.race([this.#notify(shard, false), patience]);
    }
    if (this.#leases.get(shard) !== lease) return;
    this.#leases.delete(shard);
    this.#observer?.gone(shard);
    await this.#deps.connection.run(GIVE_BACK, [keys.shard(shard).lease], [lease.holder, keys.freed]);
  }

  async #acquireFree(): Promise<void> {
    const wanted = Math.ceil(SHARDS / this.#nodes) - this.owned();
    if (wanted <= 0 || this.#draining || this.#deps.clock.monotonic() < this.#patientUntil) return;
    const others = Array.from({ length: SHARDS }, (_, n) => (this.#first + n) % SHARDS).filter(
      (n) => !this.#leases.has(n),
    );
    const held = await Promise.all(
      others.map((shard) => this.#deps.connection.call("EXISTS", this.#deps.keys.shard(shard).lease)),
    );
    const free = others.filter((_, n) => held[n] === 0).slice(0, wanted);
    await Promise.all(free.map((shard) => this.#acquire(shard)));
  }

  #giveSurplus(): void {
    let surplus = this.owned() - Math.ceil(SHARDS / this.#nodes);
    for (const [shard, lease] of this.#leases) {
      if (surplus <= 0) return;
      if (lease.giving) continue;
      surplus -= 1;
      this.#giveBack(shard, lease).catch(this.#deps.onError);
    }
  }

  async #round(): Promise<void> {
    const { clock } = this.#deps;
    await this.#heartbeat(false);
    if (clock.monotonic() - this.#renewedAt >= REDIS_LIMITS.renewMs - REDIS_LIMITS.lookMs / 2) {
      this.#renewedAt = clock.monotonic();
      await Promise.all([...this.#leases].map(([shard, lease]) => this.#renew(shard, lease)));
    }
    await this.#acquireFree();
    this.#giveSurplus();
    this.#deps.connection.become(true);
  }

  #look(): void {
    this.#timer?.cancel();
    if (this.#closed || this.#draining) return;
    this.#looking ??= this.#round()
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) this.#deps.onError(error);
      })
      .finally(() => {
        this.#looking = undefined;
        this.#timer?.cancel();
        if (!this.#closed && !this.#draining)
          this.#timer = this.#deps.timers.after(REDIS_LIMITS.lookMs, () => this.#look());
      });
  }
}

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

/** The leases, as the rest of the store uses them. */
export interface Leases extends ShardLeases {
  /** Return the holder that a write compares with; undefined if another node owns the shard. */
  holder(shard: number): string | undefined;
  /** Note that a write found another holder. */
  lost(shard: number): void;
  /** Renew a lease for which a write found no holder, if no other node had it since. False: it is lost. */
  hold(shard: number): Promise<boolean>;
  /** Look for free leases soon: another node has released some. */
  lookSoon(): void;
  observe(observer: LeaseObserver): void;
  close(): void;
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
 * Create the leases on shards (NODE-5): 6 s, renewed every 2 s, with a search for free ones every second.
 * While Redis is away a node keeps its shards (NODE-3): no other node can take one then, and the first answer
 * shows if it still has them.
 */
export function createLeases(deps: LeaseDeps): Leases {
  const { node, connection, keys, clock, timers, onError } = deps;
  const leases = new Map<number, Lease>();
  const listeners = new Set<ShardListener>();
  const { leaseMs } = REDIS_LIMITS;
  // Nodes that start together begin with different shards.
  const first = [...node].reduce((sum, letter) => sum + letter.charCodeAt(0) * 31, 0) % SHARDS;
  let nodes = 1;
  let renewedAt = Number.NEGATIVE_INFINITY;
  /** Monotonic ms of the last heartbeat that Redis answered. */
  let aliveAt: number | undefined;
  let patientUntil = Number.NEGATIVE_INFINITY;
  let draining = false;
  let closed = false;
  let observer: LeaseObserver | undefined;
  let looking: Promise<void> | undefined;
  let timer: { cancel(): void } | undefined;

  const notifyOne = async (listener: ShardListener, shard: number, owned: boolean): Promise<void> => {
    try {
      await listener(shard, owned);
    } catch (error) {
      onError(error);
    }
  };
  const notify = (shard: number, owned: boolean): Promise<unknown> =>
    Promise.all([...listeners].map((listener) => notifyOne(listener, shard, owned)));
  const drop = (shard: number): void => {
    const lease = leases.get(shard);
    if (!lease) return;
    leases.delete(shard);
    if (!lease.giving) void notify(shard, false);
    observer?.gone(shard);
  };

  const heartbeat = async (leaving: boolean): Promise<void> => {
    const askedAt = clock.monotonic();
    const reply = asList(await connection.run(HEARTBEAT, [keys.nodes], [node, leaseMs, leaving ? "1" : "0"]));
    const time = asNumber(reply[0]) * 1_000 + asNumber(reply[1]) / 1_000;
    clock.measured(time, askedAt);
    nodes = Math.max(1, asNumber(reply[2]));
    const isForgotten = asNumber(reply[3]) === 0;
    // Away for so long that leases of any node may have ended without a renewal.
    const wasAway = askedAt - (aliveAt ?? askedAt) > leaseMs - REDIS_LIMITS.renewMs;
    if (wasAway || (isForgotten && aliveAt !== undefined)) {
      patientUntil = clock.monotonic() + REDIS_LIMITS.patienceMs;
    }
    aliveAt = clock.monotonic();
  };
  const renew = async (shard: number, lease: Lease): Promise<boolean> => {
    const names = keys.shard(shard);
    const askedAt = clock.monotonic();
    const isCertain = askedAt < lease.until ? "1" : "0";
    const args = [lease.holder, lease.fence, leaseMs, isCertain];
    const reply = asList(await connection.run(RENEW, [names.lease, names.fence, names.inbox], args));
    const state = asText(reply[0]);
    if (leases.get(shard) !== lease) return false;
    if (state === "taken") {
      drop(shard);
      return false;
    }
    lease.until = askedAt + leaseMs;
    if (state === "lost") observer?.loss(shard);
    if (asNumber(reply[1]) > 0) observer?.waiting(shard);
    return true;
  };
  const acquire = async (shard: number): Promise<boolean> => {
    const names = keys.shard(shard);
    const askedAt = clock.monotonic();
    const fence = await connection.run(TAKE, [names.lease, names.fence], [node, leaseMs]);
    if (fence === null) return false;
    const lease = {
      fence: asNumber(fence),
      holder: `${node}:${String(fence)}`,
      until: askedAt + leaseMs,
      giving: false,
    };
    leases.set(shard, lease);
    if (draining || closed) {
      await giveBack(shard, lease);
      return false;
    }
    void notify(shard, true);
    observer?.waiting(shard);
    return true;
  };
  const giveBack = async (shard: number, lease: Lease): Promise<void> => {
    if (!lease.giving) {
      lease.giving = true;
      const patience = new Promise<void>((resolve) => timers.after(STORE_LIMITS.givingAwayMs, resolve));
      await Promise.race([notify(shard, false), patience]);
    }
    if (leases.get(shard) !== lease) return;
    leases.delete(shard);
    observer?.gone(shard);
    await connection.run(GIVE_BACK, [keys.shard(shard).lease], [lease.holder, keys.freed]);
  };
  const ownedCount = (): number => {
    let count = 0;
    for (const lease of leases.values()) if (!lease.giving) count += 1;
    return count;
  };
  const acquireFree = async (): Promise<void> => {
    const wanted = Math.ceil(SHARDS / nodes) - ownedCount();
    if (wanted <= 0 || draining || clock.monotonic() < patientUntil) return;
    const others = Array.from({ length: SHARDS }, (_, n) => (first + n) % SHARDS).filter(
      (n) => !leases.has(n),
    );
    const held = await Promise.all(others.map((shard) => connection.call("EXISTS", keys.shard(shard).lease)));
    const free = others.filter((_, n) => held[n] === 0).slice(0, wanted);
    await Promise.all(free.map(acquire));
  };
  const giveSurplus = (): void => {
    let surplus = ownedCount() - Math.ceil(SHARDS / nodes);
    for (const [shard, lease] of leases) {
      if (surplus <= 0) return;
      if (lease.giving) continue;
      surplus -= 1;
      giveBack(shard, lease).catch(onError);
    }
  };
  const round = async (): Promise<void> => {
    await heartbeat(false);
    if (clock.monotonic() - renewedAt >= REDIS_LIMITS.renewMs - REDIS_LIMITS.lookMs / 2) {
      renewedAt = clock.monotonic();
      await Promise.all([...leases].map(([shard, lease]) => renew(shard, lease)));
    }
    await acquireFree();
    giveSurplus();
    connection.become(true);
  };
  const look = (): void => {
    timer?.cancel();
    if (closed || draining) return;
    looking ??= round()
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) onError(error);
      })
      .finally(() => {
        looking = undefined;
        timer?.cancel();
        if (!closed && !draining) timer = timers.after(REDIS_LIMITS.lookMs, look);
      });
  };
  const stopListening = connection.onAvailable((available) => {
    if (!available) return;
    renewedAt = Number.NEGATIVE_INFINITY;
    look();
  });

  return {
    owns: (shard) => leases.get(shard)?.giving === false,
    owned: ownedCount,
    nodes: () => nodes,
    onChange(listener) {
      listeners.add(listener);
      for (const [shard, lease] of leases) if (!lease.giving) void notifyOne(listener, shard, true);
      return () => {
        listeners.delete(listener);
      };
    },
    async confirm(shard) {
      const lease = leases.get(shard);
      if (!lease) return false;
      return (await connection.call("GET", keys.shard(shard).lease)) === lease.holder;
    },
    async drain() {
      if (draining) return;
      draining = true;
      timer?.cancel();
      await looking;
      const given = [...leases].map(([shard, lease]) => giveBack(shard, lease));
      // A lease that cannot be released ends by itself.
      for (const result of await Promise.allSettled([...given, heartbeat(true)])) {
        if (result.status === "rejected" && !(result.reason instanceof StoreUnavailableError))
          onError(result.reason);
      }
    },
    holder: (shard) => leases.get(shard)?.holder,
    lost: drop,
    async hold(shard) {
      const lease = leases.get(shard);
      return lease !== undefined && renew(shard, lease);
    },
    lookSoon() {
      if (closed || draining || looking) return;
      timer?.cancel();
      timer = timers.after(SOON_MS, look);
    },
    observe(one) {
      observer = one;
    },
    close() {
      closed = true;
      timer?.cancel();
      stopListening();
    },
  };
}

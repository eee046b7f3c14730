import { OutChanged } from "@mulkko/shared/mqtt/out-messages";
import { changedKindsOf } from "@mulkko/shared/rest/operations/table";
import type { WatchState } from "@mulkko/shared/rest/watch";
import type { Timer } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { WatchRequest } from "../access/account-access.ts";
import type { SessionPair } from "../access/vault.ts";
import { parsePayload, type ReceivedMessage } from "../account/mqtt.ts";
import { type Polling, stretchFactor } from "../account/polling/poll-pacing.ts";
import type { Interest } from "../account/viewers.ts";
import { createHeld, type Held } from "../runtime/held.ts";
import { notPersisted } from "../store/errors.ts";
import { SHARDS, shardOf } from "../store/shard.ts";
import { NoAccessError } from "../upstream/errors.ts";
import { onReachableAgain } from "../upstream/link-monitor.ts";
import { AccountOwner } from "./account-owner.ts";
import type { AccountOwnerDeps } from "./account-parts.ts";
import { RecentMessages } from "./recent-messages.ts";
import { type AccountRecovery, createAccountRecovery } from "./recovery.ts";
import { createWatchList, type WatchList } from "./watch-list.ts";

export interface LocalOwnersDeps extends Omit<AccountOwnerDeps, "polling"> {
  readonly polling: Polling;
}

/** Called for every received reading with its account, sensor and time (ms UTC). */
export type OnReading = (accountId: string, sensorId: string, at: number) => void;

/** Upper bound of active accounts; beyond it unneeded ones are released first. */
const ACCOUNTS_AT_MOST = 10_000;
/** Accounts that begin at the same time because a message or a write shows that they have valves (WATCH-1). */
const BEGIN_AT_ONCE = 4;
/** ms before such an account is tried again. */
const BEGIN_AGAIN_MS = 60_000;
/** Interval at which the poll rate is measured, ms. */
const MEASURE_MS = 5_000;
/** Minimum relative change of the stretch factor before all units are rescheduled. */
const STRETCH_STEP = 0.1;
const STRAINED = 1.2;

interface Entry {
  readonly held: Held<AccountOwner>;
  /** True once it has received the messages from before its activation here (MQTT-1). */
  caughtUp: boolean;
}

/**
 * The owners of the accounts in this node's shards (NODE-5). A viewer of an account, a session of its own or a message
 * of its valves activates it; an account that nothing needs any more is released after a while ({@link Held}).
 */
export class LocalOwners {
  readonly #deps: LocalOwnersDeps;
  readonly #onReading: OnReading;
  readonly #entries = new Map<string, Entry>();
  readonly #recent: RecentMessages;
  readonly #watched: WatchList;
  readonly #recovery: AccountRecovery;
  /** When each account that was seen to have valves was last begun, monotonic ms (WATCH-1). */
  readonly #triedAt = new LRUCache<string, number>({ max: ACCOUNTS_AT_MOST });
  readonly #beginInTurn = pLimit(BEGIN_AT_ONCE);
  readonly #measuring: Timer;
  readonly #stops: readonly (() => void)[];
  readonly #onUnreleased: (error: unknown) => void;
  /** Factor by which all polls are slower than they would like. */
  #stretch = 1;
  /** True while the clock of the farm API cannot be trusted. */
  #isClockSuspect = false;

  constructor(deps: LocalOwnersDeps, onReading: OnReading) {
    this.#deps = deps;
    this.#onReading = onReading;
    const { store } = deps;
    const { clock, timers, log } = deps.runtime;
    const { link, sessions, ends, reception } = deps.upstream;
    this.#recent = new RecentMessages(clock);
    this.#onUnreleased = notPersisted(
      log,
      "error",
      { event: "account-release-failed" },
      "failed to release account",
    );
    this.#watched = createWatchList({
      store,
      sessions,
      ends,
      log,
      readByOwner: async (accountId) =>
        (await this.#entries.get(accountId)?.held.created.catch(() => undefined)) !== undefined,
    });
    this.#measuring = repeat(timers, MEASURE_MS, () => this.#measure());
    this.#recovery = createAccountRecovery({
      store,
      timers,
      log,
      isReachable: () => link.state.upstream !== "down",
      atMost: ACCOUNTS_AT_MOST,
      read: (accountId) => this.#read(accountId, this.#entry(accountId)),
    });
    this.#stops = [
      this.#watched.close,
      store.shards.onChange((shard, owned) =>
        owned ? this.#recovery.shardCame(shard) : this.#dropShard(shard),
      ),
      store.onAvailable((available) => {
        if (!available) return;
        const fields = { event: "shard-release-failed" };
        this.#dropForeign().catch(
          notPersisted(log, "error", fields, "failed to release accounts of a lost shard"),
        );
      }),
      reception.listen(() => {
        for (const owner of this.#made()) owner.receptionChanged();
      }),
      onReachableAgain(link, () => {
        for (const owner of this.#made()) owner.reachable();
        this.#recovery.again();
      }),
    ];
  }

  /**
   * Return the account's owner once its first state is present. Rejects with an `UpstreamError` if it cannot
   * be read, and with a `StaleOwnerError` if its shard belongs to another node.
   *
   * @param token a viewer's, which may be used for polling
   */
  loaded(accountId: string, token?: string): Promise<AccountOwner> {
    const entry = this.#entry(accountId);
    return entry.held.use(async (owner) => {
      if (token !== undefined) owner.lend(token);
      await this.#read(accountId, entry);
      if (this.#deps.upstream.sessions.mayServe(accountId)) await this.#watched.remember(accountId);
      return owner;
    });
  }

  /** Return the owner if the account is active and read. */
  active(accountId: string): AccountOwner | undefined {
    const owner = this.#owner(accountId);
    return owner?.loaded ? owner : undefined;
  }

  /**
   * Set the interest and tokens of a node's viewers; an account with viewers is activated.
   *
   * @param forMs time for which it counts without a renewal
   */
  interest(
    accountId: string,
    from: { node: string; interest: Interest | null; tokens: readonly string[]; forMs?: number },
  ): void {
    const { node, interest, tokens, forMs } = from;
    const known = this.#entries.get(accountId);
    if (known === undefined && interest === null) return;
    const entry = known ?? this.#entry(accountId);
    entry.held.created
      .then(async (owner) => {
        for (const token of tokens) owner.lend(token);
        owner.interest(node, interest, forMs);
        if (interest !== null) await this.#read(accountId, entry);
      })
      .catch((error: unknown) =>
        this.#deps.runtime.log.debug(
          { event: "viewed-account-unread", err: error, account: accountId },
          "failed to read a viewed account",
        ),
      );
  }

  /** A proxied write of the account has succeeded, or its result is unknown (POLL-8). */
  changed(accountId: string, path: string): void {
    const kinds = changedKindsOf(path);
    this.#owner(accountId)?.written(kinds);
    if (kinds.includes("controller") || kinds.includes("channel")) this.#beginSoon(accountId);
  }

  /** Watch the account with a session that the relay has just signed in (CRED-1 b). */
  async signedIn(accountId: string, pair: SessionPair): Promise<void> {
    await this.#deps.upstream.sessions.adopt(accountId, pair);
    // Also if the API becomes unavailable before the account is read: it is recovered later.
    await this.#watched.remember(accountId);
    this.#owner(accountId)?.reachable();
    await this.loaded(accountId);
  }

  /** Execute a watch request for the account and return the new state. */
  async watch(accountId: string, action: WatchRequest): Promise<WatchState> {
    const state = await this.#watched.request(accountId, action);
    if (action === "start" && state.by !== "nobody") this.#owner(accountId)?.reachable();
    return state;
  }

  /**
   * Return a token of the account's own session (CRED-1 a, b); rejects with a `NoAccessError` without one.
   */
  async ownToken(accountId: string): Promise<string> {
    await this.loaded(accountId);
    const token = await this.#deps.upstream.sessions.token(accountId);
    if (token === null) throw new NoAccessError(`The relay has no session of account ${accountId}`);
    return token;
  }

  /** Return active accounts for which the relay has, or may get, its own session. */
  withOwnSession(): string[] {
    const { sessions } = this.#deps.upstream;
    return [...this.#entries.keys()].filter((accountId) => sessions.mayServe(accountId));
  }

  receive(message: ReceivedMessage): void {
    const { userId } = message.topic;
    const entry = this.#entries.get(userId);
    if (entry?.held.made?.loaded && entry.caughtUp) entry.held.made.receive(message);
    else {
      this.#recent.add(message);
      if (entry === undefined && concernsValves(message)) this.#beginSoon(userId);
    }
  }

  /**
   * Recover the accounts that are watched without a viewer (CRED-1 a, b, RUN-3), and later those of each
   * shard that this node receives. Accounts that cannot be read are retried, and all of them each time the
   * API is back.
   */
  resume(): Promise<void> {
    return this.#recovery.resume();
  }

  get accounts(): number {
    return this.#entries.size;
  }

  get stretch(): number {
    return this.#stretch;
  }

  async close(): Promise<void> {
    this.#measuring.cancel();
    this.#recovery.close();
    this.#beginInTurn.clearQueue();
    for (const stop of this.#stops) stop();
    await Promise.all([...this.#entries.values()].map(({ held }) => held.close()));
  }

  /** Return the owner of an account that is active here, read or not. */
  #owner(accountId: string): AccountOwner | undefined {
    return this.#entries.get(accountId)?.held.made;
  }

  #made(): AccountOwner[] {
    return [...this.#entries.values()].flatMap(({ held }) => held.made ?? []);
  }

  #makeRoom(): void {
    if (this.#entries.size < ACCOUNTS_AT_MOST) return;
    const unneeded = [...this.#entries.values()].find(({ held }) => held.isUnused);
    if (unneeded) unneeded.held.close().catch(this.#onUnreleased);
    else
      this.#deps.runtime.log.warn(
        { event: "account-limit-exceeded", accounts: this.#entries.size },
        "account limit exceeded",
      );
  }

  #entry(accountId: string): Entry {
    const known = this.#entries.get(accountId);
    if (known) return known;
    this.#makeRoom();
    const held = this.#hold(accountId);
    const entry: Entry = { held, caughtUp: false };
    this.#entries.set(accountId, entry);
    return entry;
  }

  #hold(accountId: string): Held<AccountOwner> {
    const { polling, runtime, upstream } = this.#deps;
    const ownerDeps = { ...this.#deps, polling: { ...polling, stretch: () => this.#stretch } };
    const held: Held<AccountOwner> = createHeld({
      create: () =>
        AccountOwner.claim(accountId, ownerDeps, {
          onStale: () => void held.close().catch(this.#onUnreleased),
          onReading: (sensorId, at) => this.#onReading(accountId, sensorId, at),
        }),
      isNeeded: (owner) => !owner.idle,
      // With its own session the relay watches without a viewer (CRED-1 a, b).
      isKept: () => upstream.sessions.mayServe(accountId),
      onGone: () => {
        if (this.#entries.get(accountId)?.held === held) this.#entries.delete(accountId);
      },
      onError: this.#onUnreleased,
      timers: runtime.timers,
    });
    return held;
  }

  /** Read an account, and give it the messages of before its activation. */
  async #read(accountId: string, entry: Entry): Promise<AccountOwner> {
    const owner = await entry.held.created;
    await owner.load();
    if (!entry.caughtUp) {
      entry.caughtUp = true;
      for (const message of this.#recent.drain(accountId)) owner.receive(message);
    }
    return owner;
  }

  /** Watch an account of this node that is not active, and was just seen to have valves (WATCH-1). */
  async #begin(accountId: string): Promise<void> {
    const { sessions } = this.#deps.upstream;
    try {
      await sessions.load(accountId);
      if (sessions.mayServe(accountId)) await this.loaded(accountId);
    } catch (error) {
      this.#deps.runtime.log.debug(
        { event: "account-not-begun", err: error, account: accountId },
        "cannot watch account yet",
      );
    }
  }

  #beginSoon(accountId: string): void {
    const { runtime, store, upstream } = this.#deps;
    const isMine = store.shards.owns(shardOf(accountId)) && !this.#entries.has(accountId);
    if (!isMine || !upstream.capabilities.has("relay-accounts")) return;
    const now = runtime.clock.monotonic();
    if (now - (this.#triedAt.get(accountId) ?? Number.NEGATIVE_INFINITY) < BEGIN_AGAIN_MS) return;
    this.#triedAt.set(accountId, now);
    void this.#beginInTurn(() => this.#begin(accountId));
  }

  /** Measure what all accounts would like to poll, and slow them down to what the farm API may be asked. */
  #measure(): void {
    const { polling, store, upstream } = this.#deps;
    const sum = { stretchable: 0, fixed: 0 };
    for (const owner of this.#made()) {
      const demand = owner.demand();
      sum.stretchable += demand.stretchable;
      sum.fixed += demand.fixed;
    }
    const share = store.shards.owned() / SHARDS;
    const wanted = stretchFactor(sum.stretchable, sum.fixed, polling.limiter.share(share));
    const offset = upstream.clock.suspectedOffset();
    const isSuspect = offset !== null;
    const before = this.#stretch;
    const isChanged = Math.abs(wanted - before) > before * STRETCH_STEP || (wanted === 1 && before !== 1);
    if (isChanged) this.#stretch = wanted;
    if (isChanged || isSuspect !== this.#isClockSuspect)
      for (const owner of this.#made()) owner.paceChanged();
    this.#isClockSuspect = isSuspect;
    upstream.link.pollsSlowed(this.#stretch > STRAINED || polling.limiter.paused);
    upstream.link.clockSuspect(offset);
  }

  /**
   * Release the accounts of a shard that moves to another node. Without the store no node can own an
   * account: active ones continue, so that runs still end (NODE-3), and restart when the store is back.
   */
  async #dropShard(shard: number): Promise<void> {
    this.#recovery.shardWent(shard);
    if (!this.#deps.store.available) return;
    const gone = [...this.#entries].filter(([accountId]) => shardOf(accountId) === shard);
    await Promise.all(gone.map(([, { held }]) => held.close()));
  }

  async #dropForeign(): Promise<void> {
    const { shards } = this.#deps.store;
    const foreign = [...this.#entries].filter(([accountId]) => !shards.owns(shardOf(accountId)));
    await Promise.all(foreign.map(([, { held }]) => held.close()));
  }
}

/** True for a message that shows that its account has valves. */
function concernsValves(message: ReceivedMessage): boolean {
  if (message.topic.kind !== "changed") return message.topic.kind === "channel";
  const changed = parsePayload(OutChanged, message);
  return changed.ok && (changed.value.entity === "controller" || changed.value.entity === "channel");
}

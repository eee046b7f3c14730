import { OutChanged } from "@mulkko/shared/mqtt/out-messages";
import { changedKindsOf } from "@mulkko/shared/rest/operations/table";
import type { WatchState } from "@mulkko/shared/rest/watch";
import type { Clock } from "@mulkko/shared/rules/clock";
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
import { type AccountOwner, type AccountOwnerDeps, createAccountOwner } from "./account-owner.ts";
import { createAccountRecovery } from "./recovery.ts";
import { createWatchList } from "./watch-list.ts";

/** Buffers messages of accounts that are not active here, for their activation (MQTT-1). */
interface RecentMessages {
  add(message: ReceivedMessage): void;
  /** Return the messages of an account, oldest first, and remove them. */
  drain(accountId: string): ReceivedMessage[];
}

/** Oldest and most messages that wait for an activation, and how many remain of a full buffer. */
const RECENT_MAX_AGE_MS = 15_000;
const RECENT_CAPACITY = 20_000;
const RECENT_AFTER_DROP = 18_000;

export function createRecentMessages(clock: Clock): RecentMessages {
  let messages: { message: ReceivedMessage; at: number }[] = [];
  const drop = (): void => {
    const oldest = clock.monotonic() - RECENT_MAX_AGE_MS;
    const first = messages.findIndex((one) => one.at >= oldest);
    if (first !== 0) messages = first === -1 ? [] : messages.slice(first);
  };
  return {
    add(message) {
      messages.push({ message, at: clock.monotonic() });
      // In batches, so that a full buffer is not moved for each message.
      if (messages.length > RECENT_CAPACITY) {
        drop();
        messages = messages.slice(-RECENT_AFTER_DROP);
      }
    },
    drain(accountId) {
      drop();
      const own = messages.filter((one) => one.message.topic.userId === accountId);
      if (own.length > 0) messages = messages.filter((one) => one.message.topic.userId !== accountId);
      return own.map((one) => one.message);
    },
  };
}

export interface LocalOwnersDeps extends Omit<AccountOwnerDeps, "polling"> {
  readonly polling: Polling;
}

/** Called for every received reading with its account, sensor and time (ms UTC). */
export type OnReading = (accountId: string, sensorId: string, at: number) => void;

/** The owners of the accounts in this node's shards (NODE-5). */
export interface LocalOwners {
  /**
   * Return the account's owner once its first state is present. Rejects with an `UpstreamError` if it cannot
   * be read, and with a `StaleOwnerError` if its shard belongs to another node.
   *
   * @param token a viewer's, which may be used for polling
   */
  loaded(accountId: string, token?: string): Promise<AccountOwner>;
  /** Return the owner if the account is active and read. */
  active(accountId: string): AccountOwner | undefined;
  /**
   * Set the interest and tokens of a node's viewers; an account with viewers is activated.
   *
   * @param forMs time for which it counts without a renewal
   */
  interest(
    accountId: string,
    from: { node: string; interest: Interest | null; tokens: readonly string[]; forMs?: number },
  ): void;
  changed(accountId: string, path: string): void;
  /** Watch the account with a session that the relay has just signed in (CRED-1 b). */
  signedIn(accountId: string, pair: SessionPair): Promise<void>;
  /** Execute a watch request for the account and return the new state. */
  watch(accountId: string, action: WatchRequest): Promise<WatchState>;
  /**
   * Return a token of the account's own session (CRED-1 a, b); rejects with a `NoAccessError` without one.
   */
  ownToken(accountId: string): Promise<string>;
  /** Return active accounts for which the relay has, or may get, its own session. */
  withOwnSession(): string[];
  receive(message: ReceivedMessage): void;
  /**
   * Recover the accounts that are watched without a viewer (CRED-1 a, b, RUN-3), and later those of each
   * shard that this node receives. Accounts that cannot be read are retried, and all of them each time the
   * API is back.
   */
  resume(): Promise<void>;
  readonly accounts: number;
  readonly stretch: number;
  close(): Promise<void>;
}

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

/** Create the owners of this node. A viewer of an account in its shards first activates the owner. */
export function createLocalOwners(deps: LocalOwnersDeps, onReading: OnReading): LocalOwners {
  const { store } = deps;
  const { clock, timers, log } = deps.runtime;
  const { link, sessions, ends, capabilities, clock: upstreamClock, reception } = deps.upstream;
  const { limiter } = deps.polling;
  const entries = new Map<string, Entry>();
  const recent = createRecentMessages(clock);
  let stretch = 1;
  let suspect = false;
  const ownerDeps = { ...deps, polling: { ...deps.polling, stretch: () => stretch } };

  const made = (): AccountOwner[] => [...entries.values()].flatMap(({ held }) => held.made ?? []);
  const onUnreleased = notPersisted(
    log,
    "error",
    { event: "account-release-failed" },
    "failed to release account",
  );
  const makeRoom = (): void => {
    if (entries.size < ACCOUNTS_AT_MOST) return;
    const unneeded = [...entries.values()].find(({ held }) => held.isUnused);
    if (unneeded) unneeded.held.close().catch(onUnreleased);
    else log.warn({ event: "account-limit-exceeded", accounts: entries.size }, "account limit exceeded");
  };
  const entryOf = (accountId: string): Entry => {
    const known = entries.get(accountId);
    if (known) return known;
    makeRoom();
    const held: Held<AccountOwner> = createHeld({
      create: () =>
        createAccountOwner(accountId, ownerDeps, {
          onStale: () => void held.close().catch(onUnreleased),
          onReading: (sensorId, at) => onReading(accountId, sensorId, at),
        }),
      isNeeded: (owner) => !owner.idle,
      // With its own session the relay watches without a viewer (CRED-1 a, b).
      isKept: () => sessions.mayServe(accountId),
      onGone() {
        if (entries.get(accountId)?.held === held) entries.delete(accountId);
      },
      onError: onUnreleased,
      timers,
    });
    const entry: Entry = { held, caughtUp: false };
    entries.set(accountId, entry);
    return entry;
  };
  const loadedOwner = async (accountId: string, entry: Entry): Promise<AccountOwner> => {
    const owner = await entry.held.created;
    await owner.load();
    if (!entry.caughtUp) {
      entry.caughtUp = true;
      for (const message of recent.drain(accountId)) owner.receive(message);
    }
    return owner;
  };
  const loaded = (accountId: string, token?: string): Promise<AccountOwner> => {
    const entry = entryOf(accountId);
    return entry.held.use(async (owner) => {
      if (token !== undefined) owner.lend(token);
      await loadedOwner(accountId, entry);
      if (sessions.mayServe(accountId)) await watched.remember(accountId);
      return owner;
    });
  };
  const watched = createWatchList({
    store,
    sessions,
    ends,
    log,
    readByOwner: async (accountId) =>
      (await entries.get(accountId)?.held.created.catch(() => undefined)) !== undefined,
  });

  const triedAt = new LRUCache<string, number>({ max: ACCOUNTS_AT_MOST });
  const beginInTurn = pLimit(BEGIN_AT_ONCE);
  /** Watch an account of this node that is not active, and was just seen to have valves (WATCH-1). */
  const begin = async (accountId: string): Promise<void> => {
    try {
      await sessions.load(accountId);
      if (sessions.mayServe(accountId)) await loaded(accountId);
    } catch (error) {
      log.debug({ event: "account-not-begun", err: error, account: accountId }, "cannot watch account yet");
    }
  };
  const beginSoon = (accountId: string): void => {
    const isMine = store.shards.owns(shardOf(accountId)) && !entries.has(accountId);
    if (!isMine || !capabilities.has("relay-accounts")) return;
    const now = clock.monotonic();
    if (now - (triedAt.get(accountId) ?? Number.NEGATIVE_INFINITY) < BEGIN_AGAIN_MS) return;
    triedAt.set(accountId, now);
    void beginInTurn(() => begin(accountId));
  };
  const concernsValves = (message: ReceivedMessage): boolean => {
    if (message.topic.kind !== "changed") return message.topic.kind === "channel";
    const changed = parsePayload(OutChanged, message);
    return changed.ok && (changed.value.entity === "controller" || changed.value.entity === "channel");
  };

  const measure = (): void => {
    const sum = { stretchable: 0, fixed: 0 };
    for (const owner of made()) {
      const demand = owner.demand();
      sum.stretchable += demand.stretchable;
      sum.fixed += demand.fixed;
    }
    const share = store.shards.owned() / SHARDS;
    const wanted = stretchFactor(sum.stretchable, sum.fixed, limiter.share(share));
    const offset = upstreamClock.suspectedOffset();
    const nowSuspect = offset !== null;
    const changed = Math.abs(wanted - stretch) > stretch * STRETCH_STEP || (wanted === 1 && stretch !== 1);
    if (changed) stretch = wanted;
    if (changed || nowSuspect !== suspect) for (const owner of made()) owner.paceChanged();
    suspect = nowSuspect;
    link.pollsSlowed(stretch > STRAINED || limiter.paused);
    link.clockSuspect(offset);
  };
  const measuring = repeat(timers, MEASURE_MS, measure);
  const recovery = createAccountRecovery({
    store,
    timers,
    log,
    isReachable: () => link.state.upstream !== "down",
    atMost: ACCOUNTS_AT_MOST,
    read: (accountId) => loadedOwner(accountId, entryOf(accountId)),
  });
  /**
   * Release the accounts of a shard that moves to another node. Without the store no node can own an
   * account: active ones continue, so that runs still end (NODE-3), and restart when the store is back.
   */
  const dropShard = async (shard: number): Promise<void> => {
    recovery.shardWent(shard);
    if (!store.available) return;
    const gone = [...entries].filter(([accountId]) => shardOf(accountId) === shard);
    await Promise.all(gone.map(([, { held }]) => held.close()));
  };
  const dropForeign = async (): Promise<void> => {
    const foreign = [...entries].filter(([accountId]) => !store.shards.owns(shardOf(accountId)));
    await Promise.all(foreign.map(([, { held }]) => held.close()));
  };

  const stops = [
    watched.close,
    store.shards.onChange((shard, owned) => (owned ? recovery.shardCame(shard) : dropShard(shard))),
    store.onAvailable((available) => {
      if (!available) return;
      const fields = { event: "shard-release-failed" };
      dropForeign().catch(notPersisted(log, "error", fields, "failed to release accounts of a lost shard"));
    }),
    reception.listen(() => {
      for (const owner of made()) owner.receptionChanged();
    }),
    onReachableAgain(link, () => {
      for (const owner of made()) owner.reachable();
      recovery.again();
    }),
  ];

  return {
    loaded,
    active(accountId) {
      const owner = entries.get(accountId)?.held.made;
      return owner?.loaded ? owner : undefined;
    },
    interest(accountId, { node, interest, tokens, forMs }) {
      const known = entries.get(accountId);
      if (known === undefined && interest === null) return;
      const entry = known ?? entryOf(accountId);
      entry.held.created
        .then(async (owner) => {
          for (const token of tokens) owner.lend(token);
          owner.interest(node, interest, forMs);
          if (interest !== null) await loadedOwner(accountId, entry);
        })
        .catch((error: unknown) =>
          log.debug(
            { event: "viewed-account-unread", err: error, account: accountId },
            "failed to read a viewed account",
          ),
        );
    },
    changed(accountId, path) {
      const kinds = changedKindsOf(path);
      entries.get(accountId)?.held.made?.written(kinds);
      if (kinds.includes("controller") || kinds.includes("channel")) beginSoon(accountId);
    },
    async signedIn(accountId, pair) {
      await sessions.adopt(accountId, pair);
      // Also if the API becomes unavailable before the account is read: it is recovered later.
      await watched.remember(accountId);
      entries.get(accountId)?.held.made?.reachable();
      await loaded(accountId);
    },
    async watch(accountId, action) {
      const state = await watched.request(accountId, action);
      if (action === "start" && state.by !== "nobody") entries.get(accountId)?.held.made?.reachable();
      return state;
    },
    async ownToken(accountId) {
      await loaded(accountId);
      const token = await sessions.token(accountId);
      if (token === null) throw new NoAccessError(`The relay has no session of account ${accountId}`);
      return token;
    },
    withOwnSession: () => [...entries.keys()].filter((accountId) => sessions.mayServe(accountId)),
    receive(message) {
      const entry = entries.get(message.topic.userId);
      if (entry?.held.made?.loaded && entry.caughtUp) entry.held.made.receive(message);
      else {
        recent.add(message);
        if (entry === undefined && concernsValves(message)) beginSoon(message.topic.userId);
      }
    },
    resume: recovery.resume,
    get accounts() {
      return entries.size;
    },
    get stretch() {
      return stretch;
    },
    async close() {
      measuring.cancel();
      recovery.close();
      beginInTurn.clearQueue();
      for (const stop of stops) stop();
      await Promise.all([...entries.values()].map(({ held }) => held.close()));
    },
  };
}

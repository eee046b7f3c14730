// Long because taking accounts up, keeping them and giving them back share one table of entries.
import type { WatchState } from "@mulkko/shared/rest/watch";
import { stretchFactor } from "../core/poll-pacing.ts";
import { touchedBy } from "../core/touched.ts";
import type { WatchWish } from "../ports/watch.ts";
import { createRecentMessages } from "../sources/recent-messages.ts";
import { logUnkept } from "../store/log-unkept.ts";
import { SHARDS, shardOf } from "../store/shard.ts";
import { NoAccessError } from "../upstream/errors.ts";
import type { SessionPair } from "../upstream/kept-session.ts";
import type { LinkWatch } from "../upstream/link-monitor.ts";
import { createAccountOwner } from "./account-owner.ts";
import type { AccountOwner, HeardMessage } from "./owner.ts";
import type { OwnerParts } from "./owner-parts.ts";
import { createTakingUp } from "./taking-up.ts";
import type { Interest } from "./viewers.ts";
import { createWatchList } from "./watch-list.ts";

export interface LocalOwnersParts extends OwnerParts {
  readonly link: LinkWatch;
  /** Requests a second that the polls of all nodes together may make. */
  readonly perSecond: number;
}

/** The owners of the accounts in this node's shards (NODE-5). */
export interface LocalOwners {
  /**
   * The account's owner, once its first state is there. Rejects with an `UpstreamError` if it cannot be read, with
   * a `StaleOwnerError` if its shard is another node's.
   *
   * @param token a viewer's, that may be used for polling
   */
  loaded(accountId: string, token?: string): Promise<AccountOwner>;
  /** The owner, if the account is at work and read. */
  atWork(accountId: string): AccountOwner | undefined;
  /**
   * What a node's viewers look at, and tokens of theirs; an account that is looked at is brought to work.
   *
   * @param forMs until when it counts without being said again
   */
  interest(
    accountId: string,
    from: { node: string; interest: Interest | null; tokens: readonly string[]; forMs?: number },
  ): void;
  touched(accountId: string, path: string): void;
  /** The relay signed in for itself: the account is watched with that session from now on (CRED-1 b). */
  signedIn(accountId: string, pair: SessionPair): Promise<void>;
  /** Does what is wished about watching the account, and says how it stands then. */
  watch(accountId: string, wish: WatchWish): Promise<WatchState>;
  /** A token of the account's own session (CRED-1 a, b); rejects with a `NoAccessError` where there is none. */
  ownToken(accountId: string): Promise<string>;
  /** Accounts at work for which the relay has, or may get, a session of its own. */
  withOwnSession(): string[];
  hear(message: HeardMessage): void;
  /**
   * Takes up the accounts that are watched on without a viewer (CRED-1 a, b, RUN-3), and from now on those of each
   * shard that comes to this node. Those that cannot be read yet are tried again, and all of them each time the
   * API is back.
   */
  resume(): Promise<void>;
  /** Judge the silence of all devices again. */
  review(): void;
  readonly accounts: number;
  readonly stretch: number;
  close(): Promise<void>;
}

/** ms that an account is kept after the last viewer has gone. */
const LINGER_MS = 60_000;
/** Accounts at work at most; beyond it those that nobody needs are released first. */
const ACCOUNTS_AT_MOST = 10_000;
/** ms between two looks at how much is asked of the API. */
const MEASURE_MS = 5_000;
/** A change of the factor below this share is no reason to time all units anew. */
const STRETCH_STEP = 0.1;
const STRAINED = 1.2;

interface Entry {
  readonly owner: Promise<AccountOwner>;
  /** Set once it is there. */
  made: AccountOwner | undefined;
  holds: number;
  /** True once it has heard what was said while it was not at work here (MQTT-1). */
  caughtUp: boolean;
  linger: { cancel(): void } | undefined;
}

/** Who looks at an account of this node's shards first brings its owner to work. */
export function createLocalOwners(parts: LocalOwnersParts): LocalOwners {
  const { store, timers, gate, suspicion, link, log } = parts;
  const entries = new Map<string, Entry>();
  const recent = createRecentMessages(parts.clock);
  let stretch = 1;
  let suspect = false;
  let closed = false;

  const made = (): AccountOwner[] => [...entries.values()].flatMap((entry) => entry.made ?? []);
  const release = async (accountId: string, entry: Entry): Promise<void> => {
    entry.linger?.cancel();
    if (entries.get(accountId) === entry) entries.delete(accountId);
    const owner = await entry.owner.catch(() => undefined);
    await owner?.close();
  };
  const mayGo = (entry: Entry): boolean => entry.holds === 0 && (entry.made?.idle ?? false);
  const lingerOn = (accountId: string, entry: Entry): void => {
    entry.linger?.cancel();
    if (closed) return;
    entry.linger = timers.after(LINGER_MS, () => {
      // The relay's own session lets it watch on with nobody there (CRED-1 a, b).
      if (mayGo(entry) && !parts.sessions.mayServe(accountId)) {
        release(accountId, entry).catch((error: unknown) =>
          logUnkept(log, "error", { err: error }, "an account was not released"),
        );
      } else lingerOn(accountId, entry);
    });
  };
  const makeRoom = (): void => {
    if (entries.size < ACCOUNTS_AT_MOST) return;
    for (const [accountId, entry] of entries) {
      if (!mayGo(entry)) continue;
      release(accountId, entry).catch((error: unknown) =>
        logUnkept(log, "error", { err: error }, "an account was not released"),
      );
      return;
    }
    log.warn({ accounts: entries.size }, "more accounts are at work than are meant to be");
  };
  const entryOf = (accountId: string): Entry => {
    const known = entries.get(accountId);
    if (known) return known;
    makeRoom();
    const drop = (): void => {
      const entry = entries.get(accountId);
      if (entry?.owner === owner)
        release(accountId, entry).catch((error: unknown) =>
          logUnkept(log, "error", { err: error }, "an account was not released"),
        );
    };
    const owner = createAccountOwner(accountId, { ...parts, stretch: () => stretch }, drop);
    const entry: Entry = { owner, made: undefined, holds: 0, caughtUp: false, linger: undefined };
    entries.set(accountId, entry);
    owner.then(
      (one) => {
        entry.made = one;
      },
      () => {
        if (entries.get(accountId) === entry) entries.delete(accountId);
      },
    );
    lingerOn(accountId, entry);
    return entry;
  };
  const loadedOwner = async (accountId: string, entry: Entry): Promise<AccountOwner> => {
    const owner = await entry.owner;
    await owner.load();
    if (!entry.caughtUp) {
      entry.caughtUp = true;
      for (const message of recent.take(accountId)) owner.hear(message);
    }
    return owner;
  };
  const loaded = async (accountId: string, token?: string): Promise<AccountOwner> => {
    const entry = entryOf(accountId);
    entry.holds += 1;
    try {
      const owner = await entry.owner;
      if (token !== undefined) owner.lend(token);
      await loadedOwner(accountId, entry);
      if (parts.sessions.mayServe(accountId)) await watched.remember(accountId);
      return owner;
    } finally {
      entry.holds -= 1;
      lingerOn(accountId, entry);
    }
  };
  const watched = createWatchList({
    store,
    sessions: parts.sessions,
    log,
    readByOwner: async (accountId) =>
      (await entries.get(accountId)?.owner.catch(() => undefined)) !== undefined,
  });

  const measure = (): void => {
    const sum = { stretchable: 0, fixed: 0 };
    for (const owner of made()) {
      const demand = owner.demand();
      sum.stretchable += demand.stretchable;
      sum.fixed += demand.fixed;
    }
    const share = store.shards.owned() / SHARDS;
    gate.share(share);
    const wanted = stretchFactor(sum.stretchable, sum.fixed, Math.max(1, parts.perSecond * share));
    const offset = suspicion.suspectedOffset();
    const nowSuspect = offset !== null;
    const changed = Math.abs(wanted - stretch) > stretch * STRETCH_STEP || (wanted === 1 && stretch !== 1);
    if (changed) stretch = wanted;
    if (changed || nowSuspect !== suspect) for (const owner of made()) owner.paceChanged();
    suspect = nowSuspect;
    link.strained(stretch > STRAINED || gate.paused);
    link.clockSuspect(offset);
    measuring = timers.after(MEASURE_MS, measure);
  };
  let measuring = timers.after(MEASURE_MS, measure);
  const takingUp = createTakingUp({
    store,
    timers,
    log,
    atMost: ACCOUNTS_AT_MOST,
    read: (accountId) => loadedOwner(accountId, entryOf(accountId)),
  });
  /**
   * A shard that goes to another node takes its accounts along. With the store away nobody can own anything:
   * what is at work then goes on, so that runs still end (NODE-3), and is begun anew when the store is back.
   */
  const dropShard = async (shard: number): Promise<void> => {
    takingUp.shardWent(shard);
    if (!store.available) return;
    const gone = [...entries].filter(([accountId]) => shardOf(accountId) === shard);
    await Promise.all(gone.map(([accountId, entry]) => release(accountId, entry)));
  };
  const dropForeign = async (): Promise<void> => {
    const foreign = [...entries].filter(([accountId]) => !store.shards.owns(shardOf(accountId)));
    await Promise.all(foreign.map(([accountId, entry]) => release(accountId, entry)));
  };

  let wasDown = link.state.upstream === "down";
  const stops = [
    watched.close,
    store.shards.onChange((shard, owned) => (owned ? takingUp.shardCame(shard) : dropShard(shard))),
    store.onAvailable((available) => {
      if (!available) return;
      dropForeign().catch((error: unknown) =>
        logUnkept(log, "error", { err: error }, "accounts of other nodes were not released"),
      );
    }),
    parts.hearing.listen(() => {
      for (const owner of made()) owner.heardChanged();
    }),
    link.listen((state) => {
      const isDown = state.upstream === "down";
      if (wasDown && !isDown) {
        for (const owner of made()) owner.reachable();
        takingUp.again();
      }
      wasDown = isDown;
    }),
  ];

  return {
    loaded,
    atWork(accountId) {
      const owner = entries.get(accountId)?.made;
      return owner?.loaded ? owner : undefined;
    },
    interest(accountId, { node, interest, tokens, forMs }) {
      const known = entries.get(accountId);
      if (known === undefined && interest === null) return;
      const entry = known ?? entryOf(accountId);
      entry.owner
        .then(async (owner) => {
          for (const token of tokens) owner.lend(token);
          owner.interest(node, interest, forMs);
          if (interest !== null) await loadedOwner(accountId, entry);
        })
        .catch((error: unknown) =>
          log.debug({ err: error, account: accountId }, "an account that is looked at could not be read"),
        );
    },
    touched(accountId, path) {
      entries.get(accountId)?.made?.touched(touchedBy(path));
    },
    async signedIn(accountId, pair) {
      await parts.sessions.adopt(accountId, pair);
      // Also where the API goes away before the account is read: it is taken up later.
      await watched.remember(accountId);
      entries.get(accountId)?.made?.reachable();
      await loaded(accountId);
    },
    async watch(accountId, wish) {
      const state = await watched.wish(accountId, wish);
      if (wish === "start" && state.by !== "nobody") entries.get(accountId)?.made?.reachable();
      return state;
    },
    async ownToken(accountId) {
      await loaded(accountId);
      const token = await parts.sessions.token(accountId);
      if (token === null) throw new NoAccessError(`The relay has no session of account ${accountId}`);
      return token;
    },
    withOwnSession: () => [...entries.keys()].filter(parts.sessions.mayServe),
    hear(message) {
      const entry = entries.get(message.topic.userId);
      if (entry?.made?.loaded && entry.caughtUp) entry.made.hear(message);
      else recent.keep(message);
    },
    resume: takingUp.resume,
    review() {
      for (const owner of made()) owner.paceChanged();
    },
    get accounts() {
      return entries.size;
    },
    get stretch() {
      return stretch;
    },
    async close() {
      closed = true;
      measuring.cancel();
      takingUp.close();
      for (const stop of stops) stop();
      await Promise.all([...entries].map(([accountId, entry]) => release(accountId, entry)));
    },
  };
}

import { stretchFactor } from "../core/poll-pacing.ts";
import { touchedBy } from "../core/touched.ts";
import type { Owners, ProvenAccount } from "../ports.ts";
import { createRecentMessages } from "../sources/recent-messages.ts";
import { NoAccessError } from "../upstream/errors.ts";
import type { LinkWatch } from "../upstream/link-monitor.ts";
import { createAccountOwner, type OwnerParts } from "./account-owner.ts";
import type { AccountOwner, HeardMessage } from "./owner.ts";

export interface OwnersParts extends OwnerParts {
  readonly link: LinkWatch;
  /** Requests a second that all polls together may make. */
  readonly perSecond: number;
}

/** The owners, and what the sources tell them. */
export interface OwnersDesk extends Owners {
  hear(message: HeardMessage): void;
  /**
   * Takes up the accounts that are watched on without a viewer (CRED-1 a, RUN-3). Those that cannot be read yet
   * are tried again, and all of them each time the API is back.
   */
  resume(): Promise<void>;
}

/** ms that an account is kept after the last viewer has gone. */
const LINGER_MS = 60_000;
/** Accounts at work at most; beyond it those that nobody needs are released first. */
const ACCOUNTS_AT_MOST = 10_000;
/** ms between two looks at how much is asked of the API. */
const MEASURE_MS = 5_000;
/** Accounts that are taken up at the same time after a start. */
const RESUMED_AT_ONCE = 8;
/** ms until an account that could not be read is tried again. */
const RESUME_AGAIN_MS = 30_000;
/** A change of the factor below this share is no reason to time all units anew. */
const STRETCH_STEP = 0.1;
const STRAINED = 1.2;

interface Entry {
  readonly owner: Promise<AccountOwner>;
  /** Set once it is there. */
  made: AccountOwner | undefined;
  holds: number;
  linger: { cancel(): void } | undefined;
}

/** All accounts belong to this node (NODE-5): who looks at one first brings its owner to work. */
export function createOwners(parts: OwnersParts): OwnersDesk {
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
      // The relay's own session lets it watch on with nobody there (CRED-1 a).
      if (mayGo(entry) && !parts.sessions.mayServe(accountId)) {
        release(accountId, entry).catch((error: unknown) =>
          log.error({ err: error }, "an account was not released"),
        );
      } else lingerOn(accountId, entry);
    });
  };
  const makeRoom = (): void => {
    if (entries.size < ACCOUNTS_AT_MOST) return;
    for (const [accountId, entry] of entries) {
      if (!mayGo(entry)) continue;
      release(accountId, entry).catch((error: unknown) =>
        log.error({ err: error }, "an account was not released"),
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
          log.error({ err: error }, "an account was not released"),
        );
    };
    const owner = createAccountOwner(accountId, { ...parts, stretch: () => stretch }, drop);
    const entry: Entry = { owner, made: undefined, holds: 0, linger: undefined };
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
    for (const message of recent.take(accountId)) owner.hear(message);
    return owner;
  };
  const withOwner = async <T>(
    { accountId }: ProvenAccount,
    token: string,
    use: (owner: AccountOwner) => T,
  ): Promise<T> => {
    const entry = entryOf(accountId);
    entry.holds += 1;
    try {
      const owner = await entry.owner;
      owner.lend(token);
      await loadedOwner(accountId, entry);
      if (parts.sessions.possible) await remember(accountId);
      return use(owner);
    } finally {
      entry.holds -= 1;
      lingerOn(accountId, entry);
    }
  };
  const remembered = new Set<string>();
  const remember = async (accountId: string): Promise<void> => {
    if (remembered.has(accountId)) return;
    try {
      await store.watchAccount(accountId);
      remembered.add(accountId);
    } catch (error) {
      log.warn({ err: error }, "an account could not be remembered for the next start");
    }
  };

  const measure = (): void => {
    const sum = { stretchable: 0, fixed: 0 };
    for (const owner of made()) {
      const demand = owner.demand();
      sum.stretchable += demand.stretchable;
      sum.fixed += demand.fixed;
    }
    const wanted = stretchFactor(sum.stretchable, sum.fixed, parts.perSecond);
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
  let resuming: Promise<void> | undefined;
  let resumingAgain: { cancel(): void } | undefined;
  const takeUp = async (accountId: string): Promise<"read" | "refused" | "unread"> => {
    try {
      await loadedOwner(accountId, entryOf(accountId));
      return "read";
    } catch (error) {
      log.debug({ err: error, account: accountId }, "an account could not be read yet");
      return error instanceof NoAccessError ? "refused" : "unread";
    }
  };
  const takeUpAll = async (): Promise<void> => {
    const waiting = (await store.watchedAccounts()).slice(0, ACCOUNTS_AT_MOST);
    const outcomes = { read: 0, refused: 0, unread: 0 };
    const takeUpInTurn = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined && !closed; id = waiting.shift()) {
        outcomes[await takeUp(id)] += 1;
      }
    };
    await Promise.all(Array.from({ length: RESUMED_AT_ONCE }, takeUpInTurn));
    resumingAgain?.cancel();
    const { refused, unread } = outcomes;
    if (refused + unread > 0) log.warn(outcomes, "not all watched accounts could be read yet");
    // What the API refuses is tried again when it was away and is back, as is everything else.
    if (unread > 0 && !closed) resumingAgain = timers.after(RESUME_AGAIN_MS, resumeAgain);
  };
  const resume = (): Promise<void> => {
    resuming ??= takeUpAll().finally(() => {
      resuming = undefined;
    });
    return resuming;
  };
  const resumeAgain = (): void => {
    resume().catch((error: unknown) => log.error({ err: error }, "accounts were not taken up"));
  };
  let wasDown = link.state.upstream === "down";
  const stops = [
    parts.hearing.listen(() => {
      for (const owner of made()) owner.heardChanged();
    }),
    link.listen((state) => {
      const isDown = state.upstream === "down";
      if (wasDown && !isDown) {
        for (const owner of made()) owner.reachable();
        resumeAgain();
      }
      wasDown = isDown;
    }),
  ];

  return {
    view: (proven, token) => withOwner(proven, token, (owner) => owner.view()),
    desk: (proven, token) => withOwner(proven, token, (owner) => owner.desk),
    alarms: (proven, token) => withOwner(proven, token, (owner) => owner.alarms),
    settings: (proven, token) => withOwner(proven, token, (owner) => owner.settings),
    written(accountId, path) {
      entries.get(accountId)?.made?.touched(touchedBy(path));
    },
    stats: () => ({
      accounts: entries.size,
      viewers: made().reduce((sum, owner) => sum + owner.viewers, 0),
      pollStretch: stretch,
    }),
    hear(message) {
      const owner = entries.get(message.topic.userId)?.made;
      if (owner?.loaded) owner.hear(message);
      else recent.keep(message);
    },
    resume,
    async close() {
      closed = true;
      measuring.cancel();
      resumingAgain?.cancel();
      for (const stop of stops) stop();
      await Promise.all([...entries].map(([accountId, entry]) => release(accountId, entry)));
    },
  };
}

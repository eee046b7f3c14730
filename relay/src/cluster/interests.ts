import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { Interest } from "../account/viewers.ts";

/** One viewer of this node. */
export interface LocalViewer {
  track(keys: ReadonlySet<string> | undefined): void;
  renew(token: string): void;
  /** Note activity of the viewer. */
  active(): void;
  remove(): void;
}

/** The interest of this node's viewers in one account, and the tokens that its requests may use. */
export interface NodeInterest {
  readonly interest: Interest | null;
  /** Newest last. */
  readonly tokens: readonly string[];
}

/** The interests of this node's viewers by account, to report to each account's owner. */
export interface Interests {
  /**
   * Add an active viewer.
   * @param token undefined for a viewer whose token must not be used, because it is another account's
   */
  add(accountId: string, token: string | undefined): LocalViewer;
  of(accountId: string): NodeInterest;
  accounts(): Iterable<string>;
  readonly viewers: number;
  close(): void;
}

export interface InterestsDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called for an account whose viewers change their keys, become inactive, or bring another token. */
  readonly onChanged: (accountId: string) => void;
}

/** Most tokens that one node lends for an account. */
const TOKENS_AT_MOST = 4;
/** ms between two checks for inactive viewers. */
const LOOK_EVERY_MS = 15_000;

interface OneViewer {
  keys: ReadonlySet<string> | undefined;
  /** Monotonic ms; null once the viewer is inactive (POLL-1). */
  activeAt: number | null;
}

interface AccountInterest {
  readonly viewers: Set<OneViewer>;
  readonly tokens: Set<string>;
}

export function createInterests({ clock, timers, onChanged }: InterestsDeps): Interests {
  const accounts = new Map<string, AccountInterest>();
  let viewers = 0;

  const lend = (account: AccountInterest, token: string): void => {
    account.tokens.delete(token);
    account.tokens.add(token);
    const [oldest] = account.tokens;
    if (account.tokens.size > TOKENS_AT_MOST && oldest !== undefined) account.tokens.delete(oldest);
  };
  /** Check all viewers with one timer: every message of 20,000 viewers would move a timer of their own. */
  const looking = repeat(timers, LOOK_EVERY_MS, () => {
    const since = clock.monotonic() - LIVE_LIMITS.activeMs;
    const changed = [...accounts].filter(([, account]) => fallAsleep(account, since));
    for (const [accountId] of changed) onChanged(accountId);
  });

  return {
    add(accountId, token) {
      const account = accounts.get(accountId) ?? { viewers: new Set(), tokens: new Set() };
      accounts.set(accountId, account);
      const viewer: OneViewer = { keys: undefined, activeAt: clock.monotonic() };
      account.viewers.add(viewer);
      viewers += 1;
      if (token !== undefined) lend(account, token);
      onChanged(accountId);
      return {
        track(keys) {
          viewer.keys = keys;
          onChanged(accountId);
        },
        renew(fresh) {
          if (token === undefined) return;
          lend(account, fresh);
          onChanged(accountId);
        },
        active() {
          const slept = viewer.activeAt === null;
          viewer.activeAt = clock.monotonic();
          if (slept) onChanged(accountId);
        },
        remove() {
          if (!account.viewers.delete(viewer)) return;
          viewers -= 1;
          if (account.viewers.size === 0) accounts.delete(accountId);
          onChanged(accountId);
        },
      };
    },
    of(accountId) {
      const account = accounts.get(accountId);
      if (!account) return { interest: null, tokens: [] };
      return { interest: interestOf(account), tokens: [...account.tokens] };
    },
    accounts: () => accounts.keys(),
    get viewers() {
      return viewers;
    },
    close: () => looking.cancel(),
  };
}

/**
 * Mark inactive viewers.
 * @returns true if an active one became inactive
 */
function fallAsleep({ viewers }: AccountInterest, since: number): boolean {
  let fell = false;
  for (const viewer of viewers) {
    if (viewer.activeAt === null || viewer.activeAt > since) continue;
    viewer.activeAt = null;
    fell = true;
  }
  return fell;
}

function interestOf({ viewers }: AccountInterest): Interest {
  const keys = new Set<string>();
  const count = viewers.size;
  let active = false;
  for (const viewer of viewers) {
    if (viewer.activeAt === null) continue;
    if (viewer.keys === undefined) return { count, active: true, keys: undefined };
    active = true;
    for (const key of viewer.keys) keys.add(key);
  }
  return { count, active, keys };
}

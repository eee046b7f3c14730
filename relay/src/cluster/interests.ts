import type { Interest } from "../owner/viewers.ts";

/** One viewer of this node. */
export interface LocalViewer {
  track(keys: ReadonlySet<string> | undefined): void;
  renew(token: string): void;
  remove(): void;
}

/** What this node's viewers of one account look at, and what the account may be asked with. */
export interface NodeInterest {
  readonly interest: Interest | null;
  /** Newest last. */
  readonly tokens: readonly string[];
}

/** What the viewers of this node look at, account by account: to be said to whoever owns the account. */
export interface Interests {
  /** @param token undefined: this viewer's must not be used, as it is another account's */
  add(accountId: string, token: string | undefined): LocalViewer;
  of(accountId: string): NodeInterest;
  accounts(): Iterable<string>;
  readonly viewers: number;
}

/** Tokens that one node lends for an account at most. */
const TOKENS_AT_MOST = 4;

interface AccountInterest {
  readonly viewers: Set<{ keys: ReadonlySet<string> | undefined }>;
  readonly tokens: Set<string>;
}

/** @param onChanged told of an account whose viewers look at something else, or bring another token */
export function createInterests(onChanged: (accountId: string) => void): Interests {
  const accounts = new Map<string, AccountInterest>();
  let viewers = 0;

  const lend = (account: AccountInterest, token: string): void => {
    account.tokens.delete(token);
    account.tokens.add(token);
    const [oldest] = account.tokens;
    if (account.tokens.size > TOKENS_AT_MOST && oldest !== undefined) account.tokens.delete(oldest);
  };
  return {
    add(accountId, token) {
      const account = accounts.get(accountId) ?? { viewers: new Set(), tokens: new Set() };
      accounts.set(accountId, account);
      const viewer: { keys: ReadonlySet<string> | undefined } = { keys: undefined };
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
  };
}

function interestOf({ viewers }: AccountInterest): Interest {
  const keys = new Set<string>();
  for (const viewer of viewers) {
    if (viewer.keys === undefined) return { count: viewers.size, keys: undefined };
    for (const key of viewer.keys) keys.add(key);
  }
  return { count: viewers.size, keys };
}

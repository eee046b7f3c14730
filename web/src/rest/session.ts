import { Account } from "@mulkko/shared/entities/account";
import { refreshTokenOf, TokenPair } from "@mulkko/shared/rest/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { TokenSource } from "./client.ts";
import { ApiError } from "./errors.ts";
import { type Fetch, performCall } from "./http.ts";
import type { SessionStorage } from "./session-storage.ts";
import type { TabChannel } from "./tab-channel.ts";
import type { TabLock } from "./tab-lock.ts";

/** How long a tab waits for the news of another one that has just refreshed, ms. */
const NEWS_WAIT_MS = 400;

/** How long until a start that reached nobody is tried again, ms. */
const START_AGAIN_MS = 3_000;

/**
 * Who is signed in. `starting` ends by itself; `unreachable` says that it has failed to so far. A signed-out
 * page says why: `expired` asks for a sentence at the login, `none` and `left` do not.
 */
export type SessionState =
  | { state: "starting"; unreachable: boolean }
  | { state: "signed-out"; reason: "none" | "left" | "expired" }
  | { state: "signed-in"; account: Account; accessToken: string };

export interface SessionDeps {
  readonly fetch: Fetch;
  readonly storage: SessionStorage;
  readonly channel: TabChannel;
  /** Held by the one tab that refreshes. */
  readonly lock: TabLock;
  readonly wait: (ms: number) => Promise<void>;
  /** As `wait`, but not longer than until there is a network again. */
  readonly waitForNetwork: (ms: number) => Promise<void>;
}

/** The sign-in of this browser: one account for all tabs, one refresh at a time. */
export interface Session extends TokenSource {
  readonly store: StoreApi<SessionState>;
  /** Finds out who is signed in: by the tab's own entry, else by the browser's refresh token. */
  start(): Promise<void>;
  /** @throws ApiError 401 wrong id or password, 429 too often · NoAnswerError */
  login(username: string, password: string): Promise<void>;
  /** Also when the farm API cannot be told. */
  logout(): Promise<void>;
  /**
   * Asks anew who this is, after the account was changed: pages of this tab and of the others follow. Errors as
   * a {@link RestClient}'s call; nothing has changed then.
   */
  reloadAccount(): Promise<void>;
  onToken(listener: (token: string) => void): () => void;
}

export function createSession(deps: SessionDeps): Session {
  const { storage, channel } = deps;
  const store = createStore<SessionState>(() => ({ state: "starting", unreachable: false }));
  const listeners = new Set<(token: string) => void>();
  let refreshing: Promise<string | null> | null = null;
  /** Counts the times that somebody was signed out here: an answer to what was asked before signs nobody in again. */
  let ends = 0;

  const accessToken = () => {
    const now = store.getState();
    return now.state === "signed-in" ? now.accessToken : null;
  };
  const signedIn = (account: Account, token: string) => {
    storage.writeAuthUser({ accessToken: token, account });
    store.setState({ state: "signed-in", account, accessToken: token }, true);
    for (const listener of [...listeners]) listener(token);
  };
  const signedOut = (reason: "none" | "left" | "expired") => {
    ends += 1;
    storage.clear();
    store.setState({ state: "signed-out", reason }, true);
  };
  const askAccount = (token: string) =>
    performCall(deps.fetch, { method: "GET", path: apiPath.accountInfo, answer: Account }, token);

  /** Takes a token as this tab's own, whoever it belongs to: the browser is one account. */
  const adopt = async (token: string): Promise<void> => {
    const begun = ends;
    const now = store.getState();
    if (now.state === "signed-in" && now.accessToken !== token) signedIn(now.account, token);
    try {
      const account = await askAccount(token);
      if (ends !== begun) return;
      const then = store.getState();
      if (then.state !== "signed-in" || then.accessToken === token) signedIn(account, token);
    } catch (error) {
      if (ends !== begun) return;
      if (error instanceof ApiError && error.status === 403) signedOut("expired");
      else throw error;
    }
  };

  const askRefresh = async (used: string | null, seen: string): Promise<string | null> => {
    const current = accessToken();
    if (current !== null && current !== used) return current;
    let refreshToken = storage.readRefreshToken();
    if (refreshToken !== null && refreshToken !== seen) {
      // Another tab has refreshed while this one waited; its news is on the way.
      await deps.wait(NEWS_WAIT_MS);
      const heard = accessToken();
      if (heard !== null && heard !== used) return heard;
      refreshToken = storage.readRefreshToken();
    }
    if (refreshToken === null) return null;
    const begun = ends;
    const pair = await performCall(
      deps.fetch,
      { method: "PUT", path: apiPath.refresh, answer: TokenPair, headers: { refreshToken } },
      null,
    );
    if (ends !== begun) return null;
    storage.writeRefreshToken(refreshTokenOf(pair) ?? refreshToken);
    return pair.accessToken;
  };

  /** @param used the token that no longer serves; null where the tab has none yet */
  const refreshOnce = async (used: string | null): Promise<string | null> => {
    const seen = storage.readRefreshToken();
    if (seen === null) {
      signedOut(used === null ? "none" : "expired");
      return null;
    }
    const begun = ends;
    try {
      const token = await deps.lock.run(() => askRefresh(used, seen));
      if (ends !== begun) return null;
      if (token === null) {
        signedOut("expired");
        return null;
      }
      const now = store.getState();
      if (now.state !== "signed-in") await adopt(token);
      else if (now.accessToken !== token) {
        channel.tell({ kind: "tokens", accessToken: token, accountId: `${now.account.id}` });
        signedIn(now.account, token);
        // The refresh token may be another account's by now, if another tab signed in while this one slept.
        void adopt(token).catch(() => undefined);
      }
      return accessToken();
    } catch (error) {
      if (ends !== begun) return null;
      if (error instanceof ApiError && !error.temporary) {
        signedOut("expired");
        return null;
      }
      throw error;
    }
  };
  const refresh = (used: string | null): Promise<string | null> => {
    const current = accessToken();
    if (current !== null && current !== used) return Promise.resolve(current);
    refreshing ??= refreshOnce(used).finally(() => {
      refreshing = null;
    });
    return refreshing;
  };

  const askAgain = async (): Promise<void> => {
    const token = accessToken();
    if (token === null) return;
    try {
      await adopt(token);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      // A new token brings the account with it only where it was another one's.
      const fresh = await refresh(token);
      if (fresh !== null) await adopt(fresh);
    }
  };

  channel.listen((news) => {
    const now = store.getState();
    if (news.kind === "signed-out") {
      if (now.state === "signed-in") signedOut("left");
      return;
    }
    if (news.kind === "account") {
      // A tab that reaches nobody shows the account as it was until its next start.
      if (now.state === "signed-in" && `${now.account.id}` === news.accountId) {
        void askAgain().catch(() => undefined);
      }
      return;
    }
    if (now.state === "signed-in" && `${now.account.id}` === news.accountId) {
      signedIn(now.account, news.accessToken);
      return;
    }
    // A failure leaves the tab as it is; its own next call asks again.
    void adopt(news.accessToken).catch(() => undefined);
  });

  return {
    store,
    accessToken,
    refresh,
    onToken(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      const stored = storage.readAuthUser();
      if (stored) {
        signedIn(stored.account, stored.accessToken);
        try {
          await adopt(stored.accessToken);
        } catch (error) {
          // No answer: what the tab knows is good enough until the relay is back.
          if (error instanceof ApiError && error.status === 401) {
            await refresh(stored.accessToken).catch(() => undefined);
          }
        }
        return;
      }
      for (;;) {
        try {
          await refresh(null);
          return;
        } catch {
          if (store.getState().state !== "starting") return;
          store.setState({ state: "starting", unreachable: true }, true);
          await deps.waitForNetwork(START_AGAIN_MS);
        }
      }
    },
    async login(username, password) {
      const pair = await performCall(
        deps.fetch,
        { method: "POST", path: apiPath.login, answer: TokenPair, body: { username, password } },
        null,
      );
      const account = await askAccount(pair.accessToken);
      const refreshToken = refreshTokenOf(pair);
      if (refreshToken !== null) storage.writeRefreshToken(refreshToken);
      signedIn(account, pair.accessToken);
      channel.tell({ kind: "tokens", accessToken: pair.accessToken, accountId: `${account.id}` });
    },
    async reloadAccount() {
      await askAgain();
      const now = store.getState();
      if (now.state === "signed-in") channel.tell({ kind: "account", accountId: `${now.account.id}` });
    },
    async logout() {
      const token = accessToken();
      signedOut("left");
      channel.tell({ kind: "signed-out" });
      if (token === null) return;
      const call = { method: "GET", path: apiPath.logout, answer: Type.Unknown() } as const;
      try {
        await performCall(deps.fetch, call, token);
      } catch {
        // The person has left all the same; the token ends by itself.
      }
    },
  };
}

import { Account } from "@mulkko/shared/entities/account";
import { refreshTokenOf, TokenPair } from "@mulkko/shared/rest/account";
import {
  accountInfo,
  accountLogin,
  accountLogout,
  tokenRefresh,
} from "@mulkko/shared/rest/operations/account";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import type { Timers } from "@mulkko/shared/rules/clock";
import { type TUnknown, Type } from "typebox";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { TokenSource } from "./client.ts";
import { closingFirst } from "./closing-first.ts";
import { ApiError } from "./errors.ts";
import { type Call, type Fetch, performCall } from "./http.ts";
import type { SessionStorage, TabChannel, TabLock } from "./session-tabs.ts";

/** Maximum wait of a tab for the token of another one that has just refreshed, ms. */
const NEWS_WAIT_MS = 400;

const LOGOUT = { ...callOf(accountLogout, {}), answer: Type.Unknown() } as const;

/** Answers to a refresh that are about its token; any other one keeps the user signed in (KEEP-5). */
const OF_THE_TOKEN: readonly number[] = [400, 401, 403, 404, 410, 422];

/** Delay before retrying a start without an answer, ms. */
const START_AGAIN_MS = 3_000;

/** Reason for which no user is signed in. */
export type SignOutReason = "none" | "left" | "expired" | "ended";

/**
 * State of the session. `starting` ends by itself; `unreachable` means that attempts have failed so far. A
 * signed-out state has a reason: the login shows a message for `expired` and for `ended` (on another device, or by a
 * new password), none for `none` and `left`.
 */
export type SessionState =
  | { state: "starting"; unreachable: boolean }
  | { state: "signed-out"; reason: SignOutReason }
  | { state: "signed-in"; account: Account; accessToken: string };

export interface SessionDeps {
  readonly fetch: Fetch;
  readonly storage: SessionStorage;
  readonly channel: TabChannel;
  /** Held by the one tab that refreshes. */
  readonly lock: TabLock;
  readonly wait: (ms: number) => Promise<void>;
  /** Time limits of the calls; the machine's by default. */
  readonly timers?: Timers;
  /** Like `wait`, but ends early when the network returns. */
  readonly waitForNetwork: (ms: number) => Promise<void>;
}

/** The session of this browser: one account for all tabs, one refresh at a time. */
export interface Session extends TokenSource {
  readonly store: StoreApi<SessionState>;
  /** Determine the signed-in user: by the tab's own entry, else by the browser's refresh token. */
  start(): Promise<void>;
  /** @throws ApiError 401 wrong id or password, 429 too many attempts · NoAnswerError */
  login(username: string, password: string): Promise<void>;
  /** Sign out here, also without the farm API. */
  logout(): Promise<void>;
  /**
   * Sign out at the farm API first, and then here: the relay closes valves before it forwards the call
   * (CMD-15).
   *
   * @throws as a {@link RestClient}'s call; 409 `valve-open` if a valve is not reported closed. The user is
   * then still signed in
   */
  logoutAfterClosing(): Promise<void>;
  /** Sign out despite an open valve; the relay forwards the call without closing it. */
  logoutDespiteOpenValve(): Promise<void>;
  /**
   * Reload the account after a change: pages of this tab and of the others update. Errors as a {@link
   * RestClient}'s call; then nothing changes.
   */
  reloadAccount(): Promise<void>;
  onToken(listener: (token: string) => void): () => void;
}

export function createSession(deps: SessionDeps): Session {
  const { storage, channel } = deps;
  const store = createStore<SessionState>(() => ({ state: "starting", unreachable: false }));
  let refreshing: Promise<string | null> | null = null;
  /** Count sign-outs here: an answer to an earlier request must not sign the user in again. */
  let ends = 0;

  const accessToken = () => {
    const now = store.getState();
    return now.state === "signed-in" ? now.accessToken : null;
  };
  const signedIn = (account: Account, token: string) => {
    storage.writeAuthUser({ accessToken: token, account });
    store.setState({ state: "signed-in", account, accessToken: token }, true);
  };
  const signedOut = (reason: SignOutReason) => {
    ends += 1;
    storage.clear();
    store.setState({ state: "signed-out", reason }, true);
  };
  const askAccount = (token: string) =>
    performCall(deps.fetch, { ...callOf(accountInfo, {}), answer: Account }, token, deps.timers);

  /** Adopt a token in this tab, also one of another user: the browser has one account. */
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
      // Another tab has refreshed while this one waited; its message is pending.
      await deps.wait(NEWS_WAIT_MS);
      const theirs = accessToken();
      if (theirs !== null && theirs !== used) return theirs;
      refreshToken = storage.readRefreshToken();
    }
    if (refreshToken === null) return null;
    const begun = ends;
    const pair = await performCall(
      deps.fetch,
      { ...callOf(tokenRefresh, {}), answer: TokenPair, headers: { refreshToken } },
      null,
      deps.timers,
    );
    if (ends !== begun) return null;
    storage.writeRefreshToken(refreshTokenOf(pair) ?? refreshToken);
    return pair.accessToken;
  };

  /** @param used the invalid token; null if the tab has none yet */
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
        // The refresh token may belong to another account if another tab signed in while this one was asleep.
        void adopt(token).catch(() => undefined);
      }
      return accessToken();
    } catch (error) {
      if (ends !== begun) return null;
      if (error instanceof ApiError && OF_THE_TOKEN.includes(error.status)) {
        signedOut(error.code === "session-ended" ? "ended" : "expired");
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
      // A new token includes the account only if it belongs to another one.
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
      // A tab without an answer shows the old account until its next start.
      if (now.state === "signed-in" && `${now.account.id}` === news.accountId) {
        void askAgain().catch(() => undefined);
      }
      return;
    }
    if (now.state === "signed-in" && `${now.account.id}` === news.accountId) {
      signedIn(now.account, news.accessToken);
      return;
    }
    // A failure keeps the tab's state; its next call retries.
    void adopt(news.accessToken).catch(() => undefined);
  });

  /** Sign out here at once, and at the farm API if possible. */
  const leave = async (call: Call<TUnknown>): Promise<void> => {
    // A fresh tab has no access token yet, but the session on the server must end.
    const token = accessToken() ?? (await refresh(null).catch(() => null));
    signedOut("left");
    channel.tell({ kind: "signed-out" });
    if (token === null) return;
    try {
      await performCall(deps.fetch, call, token, deps.timers);
    } catch {
      // The user has left anyway; the token expires by itself.
    }
  };

  return {
    store,
    accessToken,
    refresh,
    onToken: (listener) =>
      store.subscribe((now) => {
        if (now.state === "signed-in") listener(now.accessToken);
      }),
    async start() {
      const stored = storage.readAuthUser();
      if (stored) {
        signedIn(stored.account, stored.accessToken);
        try {
          await adopt(stored.accessToken);
        } catch (error) {
          // No answer: the tab's data is used until the relay returns.
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
        { ...callOf(accountLogin, {}), answer: TokenPair, body: { username, password } },
        null,
        deps.timers,
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
    logout: () => leave(LOGOUT),
    logoutDespiteOpenValve: () => leave({ ...LOGOUT, ...closingFirst({ despiteOpenValve: true }) }),
    async logoutAfterClosing() {
      const token = accessToken();
      const call = { ...LOGOUT, ...closingFirst({}) };
      try {
        if (token !== null) await performCall(deps.fetch, call, token, deps.timers);
      } catch (error) {
        // An invalid token needs no logout.
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
      }
      signedOut("left");
      channel.tell({ kind: "signed-out" });
    },
  };
}

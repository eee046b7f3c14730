import type { Session } from "./connection.ts";

/** A session's registration under its account and its token. */
export interface Registration {
  changeToken(token: string): void;
  remove(): void;
}

/** The connected sessions: by token, for AUTH-4, and by account, for the limit. */
export interface SessionRegistry {
  readonly sessions: ReadonlySet<Session>;
  add(session: Session): void;
  remove(session: Session): void;
  /**
   * Register a session.
   * @returns undefined if the account has reached its limit
   */
  register(session: Session, token: string, accountId: string): Registration | undefined;
  withToken(token: string): Session[];
  ofAccount(accountId: string): Session[];
  /** Resolve when no session is left. */
  emptied(): Promise<void>;
}

/**
 * Create the registry.
 * @param sessionsPerAccount most sessions of one account
 */
export function createSessionRegistry(sessionsPerAccount: number): SessionRegistry {
  const sessions = new Set<Session>();
  const byToken = new Map<string, Set<Session>>();
  const byAccount = new Map<string, Set<Session>>();
  let waiting: (() => void)[] = [];

  function addBearer(session: Session, token: string): void {
    const bearers = byToken.get(token) ?? new Set();
    byToken.set(token, bearers.add(session));
  }
  function removeBearer(session: Session, token: string): void {
    const bearers = byToken.get(token);
    bearers?.delete(session);
    if (bearers?.size === 0) byToken.delete(token);
  }

  return {
    sessions,
    add(session) {
      sessions.add(session);
    },
    remove(session) {
      sessions.delete(session);
      if (sessions.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    register(session, token, accountId) {
      const others = byAccount.get(accountId) ?? new Set();
      if (others.size >= sessionsPerAccount) return undefined;
      byAccount.set(accountId, others.add(session));
      addBearer(session, token);
      let current = token;
      return {
        changeToken(fresh) {
          removeBearer(session, current);
          addBearer(session, fresh);
          current = fresh;
        },
        remove() {
          removeBearer(session, current);
          others.delete(session);
          if (others.size === 0 && byAccount.get(accountId) === others) byAccount.delete(accountId);
        },
      };
    },
    ofAccount: (accountId) => [...(byAccount.get(accountId) ?? [])],
    withToken: (token) => [...(byToken.get(token) ?? [])],
    emptied: () =>
      sessions.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
}

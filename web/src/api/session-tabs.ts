import { Account } from "@mulkko/shared/entities/account";
import type { Random } from "@mulkko/shared/rules/clock";
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";

type KeyValue = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Session storage key: access token and authenticated user; required for the protected pages. */
export const AUTH_USER_KEY = "authUser";

/** Local storage key: the refresh token, shared by all tabs. */
export const REFRESH_TOKEN_KEY = "refreshToken";

const AuthUser = Type.Object({ accessToken: Type.String({ minLength: 1 }), account: Account });
export type AuthUser = Static<typeof AuthUser>;

/** Storage of the session between page loads. */
export interface SessionStorage {
  readAuthUser(): AuthUser | null;
  writeAuthUser(entry: AuthUser): void;
  readRefreshToken(): string | null;
  writeRefreshToken(token: string): void;
  clear(): void;
}

export function createSessionStorage(tab: KeyValue, browser: KeyValue): SessionStorage {
  return {
    readAuthUser() {
      const parsed = parseJson(AuthUser, tab.getItem(AUTH_USER_KEY) ?? "");
      return parsed.ok ? parsed.value : null;
    },
    writeAuthUser: (entry) => tab.setItem(AUTH_USER_KEY, JSON.stringify(entry)),
    readRefreshToken: () => browser.getItem(REFRESH_TOKEN_KEY),
    writeRefreshToken: (token) => browser.setItem(REFRESH_TOKEN_KEY, token),
    clear() {
      tab.removeItem(AUTH_USER_KEY);
      browser.removeItem(REFRESH_TOKEN_KEY);
    },
  };
}

/** Messages between tabs about this browser's session. */
export const TabNews = Type.Union([
  Type.Object({ kind: Type.Literal("tokens"), accessToken: Type.String(), accountId: Type.String() }),
  /** The signed-in account was changed: its name, picture, time zone. */
  Type.Object({ kind: Type.Literal("account"), accountId: Type.String() }),
  Type.Object({ kind: Type.Literal("signed-out") }),
]);
export type TabNews = Static<typeof TabNews>;

/** Channel to the other tabs of this origin, not to the own one. */
export interface TabChannel {
  tell(news: TabNews): void;
  listen(listener: (news: TabNews) => void): void;
}

export function createTabChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name);
  return {
    tell: (news) => channel.postMessage(news),
    listen(listener) {
      channel.addEventListener("message", (event) => {
        const news = parse(TabNews, event.data);
        if (news.ok) listener(news.value);
      });
    },
  };
}

/** Lock for one tab at a time. */
export interface TabLock {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Create a lock with the browser's lock manager, which is missing on a page over plain HTTP. */
export function createNavigatorLock(locks: LockManager, name: string): TabLock {
  return {
    run: async (work) => await locks.request(name, work),
  };
}

/** Lease of a tab, ms; a dead tab blocks the others this long. */
export const LEASE_MS = 15_000;

/** Polling interval of a waiting tab, and the time that a taken lease must stand to count, ms. */
const LOOK_MS = 60;

/**
 * Create the same lock by an entry in local storage, without a lock manager. If two tabs write, the later
 * entry wins, and each tab checks again after a moment.
 */
export function createLeaseLock(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">,
  key: string,
  now: () => number,
  wait: (ms: number) => Promise<void>,
  random: Random,
): TabLock {
  const me = `${random()}`.slice(2);
  const holder = (): string | null => {
    const [owner, until] = (storage.getItem(key) ?? "").split(" ");
    return owner && Number(until) > now() ? owner : null;
  };
  return {
    async run(work) {
      for (;;) {
        const other = holder();
        if (other !== null && other !== me) {
          await wait(LOOK_MS);
          continue;
        }
        storage.setItem(key, `${me} ${now() + LEASE_MS}`);
        await wait(LOOK_MS);
        if (holder() === me) break;
      }
      try {
        return await work();
      } finally {
        if (holder() === me) storage.removeItem(key);
      }
    },
  };
}

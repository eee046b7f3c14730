import { Account } from "@mulkko/shared/entities/account";
import { parseJson } from "@mulkko/shared/schema/parse";
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

import { DESPITE_OPEN_VALVE } from "@mulkko/shared/rest/routes";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createRestClient } from "./client.ts";
import { ApiError, NoAnswerError } from "./errors.ts";
import type { Fetch } from "./http.ts";
import { createSession } from "./session.ts";
import {
  AUTH_USER_KEY,
  createSessionStorage,
  REFRESH_TOKEN_KEY,
  type TabChannel,
  type TabLock,
  type TabNews,
} from "./session-tabs.ts";

class MemoryStorage {
  readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

/** Create a farm API with two users, numbered tokens and rotating refresh tokens. */
function createFakeApi() {
  const farmer = buildAccount();
  const neighbor = buildAccount({ id: "neighbor", username: "neighbor" });
  const owner = new Map<string, typeof farmer>();
  const refreshable = new Map<string, typeof farmer>();
  const calls: string[] = [];
  let number = 0;
  const api = {
    calls,
    down: false,
    disabled: false,
    /** Error code of refused logouts (409); null accepts them. */
    refuses: null as string | null,
    /** Status of refused refreshes. */
    refreshStatus: 401,
    refreshCode: "unauthorized",
    /** Headers of logouts that accept an open valve. */
    despite: [] as string[],
    /** Resolves when pending answers arrive. */
    arrives: Promise.resolve(),
    dead: new Set<string>(),
    pair(account: typeof farmer) {
      number += 1;
      owner.set(`a${number}`, account);
      refreshable.set(`r${number}`, account);
      return { accessToken: `a${number}`, refreshToken: `r${number}`, refeshToken: `r${number}` };
    },
    farmer,
    neighbor,
  };
  const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  const no = (status: number, code: string) => answer(status, { status, error: "", code, message: code });
  const fetch: Fetch = async (path, init) => {
    const said = await answerTo(path, init);
    await api.arrives;
    return said;
  };
  const answerTo: Fetch = async (path, init) => {
    if (api.down) throw new TypeError("network");
    calls.push(path);
    const headers = new Headers(init.headers);
    const token = (headers.get("authorization") ?? "").replace("Bearer ", "");
    const account = api.dead.has(token) ? undefined : owner.get(token);
    if (path === "/api/account/login") {
      const body = JSON.parse(`${init.body}`);
      if (body.password !== "good") return no(401, "invalid-credentials");
      return answer(200, api.pair(body.username === "neighbor" ? neighbor : farmer));
    }
    if (path === "/api/account/update/refresh") {
      const old = headers.get("refreshToken") ?? "";
      const holder = refreshable.get(old);
      refreshable.delete(old);
      return holder ? answer(200, api.pair(holder)) : no(api.refreshStatus, api.refreshCode);
    }
    if (!account) return no(401, "unauthorized");
    if (path === "/api/account/info")
      return api.disabled ? no(403, "account-disabled") : answer(200, account);
    if (path === "/api/account/logout") {
      const despite = headers.get(DESPITE_OPEN_VALVE);
      if (despite !== null) api.despite.push(despite);
      if (api.refuses !== null) return no(409, api.refuses);
    }
    return answer(200, { by: account.username });
  };
  return Object.assign(api, { fetch });
}

/** Create one browser: tabs share a local storage, a lock and a channel. */
function createFakeBrowser(api: ReturnType<typeof createFakeApi>) {
  const local = new MemoryStorage();
  const tabs: { tell: (news: TabNews) => void; me: object }[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  const lock: TabLock = {
    run(work) {
      const turn = queue.then(work);
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
  const openTab = () => {
    const me = {};
    const channel: TabChannel = {
      tell(news) {
        for (const tab of tabs) if (tab.me !== me) queueMicrotask(() => tab.tell(news));
      },
      listen: (tell) => void tabs.push({ tell, me }),
    };
    const tab = new MemoryStorage();
    const session = createSession({
      fetch: api.fetch,
      storage: createSessionStorage(tab, local),
      channel,
      lock,
      wait: () => Promise.resolve(),
      waitForNetwork: () => Promise.resolve(),
    });
    return { session, tab, client: createRestClient(session, api.fetch) };
  };
  return { local, openTab };
}

const ANY = { method: "GET", path: "/api/v1/sensor/list", answer: Type.Unknown() } as const;
const username = (session: { store: { getState(): { state: string } } }) => {
  const state = session.store.getState();
  return "account" in state ? (state.account as { username: string }).username : state.state;
};

describe("session", () => {
  it("[session] stores the access token in the tab and the refresh token in the browser at login", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const { session, tab } = browser.openTab();
    await session.login("farmer", "good");
    expect(username(session)).toBe("farmer");
    expect(JSON.parse(tab.items.get(AUTH_USER_KEY) ?? "")).toMatchObject({ accessToken: "a1" });
    expect(browser.local.items.get(REFRESH_TOKEN_KEY)).toBe("r1");
    expect([...browser.local.items.values()].join()).not.toContain("a1");
  });

  it("[session] fails a login with a wrong password by its code, without a session", async () => {
    const { session } = createFakeBrowser(createFakeApi()).openTab();
    await session.start();
    await expect(session.login("farmer", "bad")).rejects.toMatchObject({
      status: 401,
      code: "invalid-credentials",
    });
    expect(session.store.getState()).toEqual({ state: "signed-out", reason: "none" });
  });

  it("[session] resolves a 401 by one refresh and a repeat of the call", async () => {
    const api = createFakeApi();
    const { session, client } = createFakeBrowser(api).openTab();
    await session.login("farmer", "good");
    api.dead.add("a1");
    await expect(client.call(ANY)).resolves.toEqual({ by: "farmer" });
    expect(session.accessToken()).toBe("a2");
  });

  it("[session] refreshes once for many simultaneous calls and tabs", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const one = browser.openTab();
    const two = browser.openTab();
    await one.session.login("farmer", "good");
    await two.session.start();
    const tokens = () => [one.session.accessToken(), two.session.accessToken()];
    for (const token of tokens()) if (token) api.dead.add(token);
    api.calls.length = 0;
    const all = [one, one, one, two, two].map(({ client }) => client.call(ANY));
    expect(await Promise.all(all)).toEqual(Array(5).fill({ by: "farmer" }));
    expect(api.calls.filter((path) => path.endsWith("/refresh"))).toHaveLength(1);
    expect(new Set(tokens()).size).toBe(1);
  });

  it("[session] refreshes first in a tab with only the refresh token", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    browser.local.setItem(REFRESH_TOKEN_KEY, api.pair(api.farmer).refreshToken);
    const { session } = browser.openTab();
    await session.start();
    expect(username(session)).toBe("farmer");
  });

  it("[session] goes to the login only if that refresh is refused", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    browser.local.setItem(REFRESH_TOKEN_KEY, "stolen");
    const { session } = browser.openTab();
    await session.start();
    expect(session.store.getState()).toEqual({ state: "signed-out", reason: "expired" });
    expect(browser.local.items.size).toBe(0);
  });

  it("[session] tells a session that was ended elsewhere from an expired one", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const { session } = browser.openTab();
    await session.login("farmer", "good");
    browser.local.setItem(REFRESH_TOKEN_KEY, "ended on the phone");
    api.refreshCode = "session-ended";
    await session.refresh("a1");
    expect(session.store.getState()).toEqual({ state: "signed-out", reason: "ended" });
  });

  it("[KEEP-5] ends a session only by an answer about its token, whatever else a refresh is answered", async () => {
    for (let status = 400; status < 600; status += 1) {
      const api = createFakeApi();
      const browser = createFakeBrowser(api);
      const { session } = browser.openTab();
      await session.login("farmer", "good");
      browser.local.setItem(REFRESH_TOKEN_KEY, "unknown to the API");
      api.refreshStatus = status;
      await session.refresh("a1").catch(() => null);
      const isAboutToken = [400, 401, 403, 404, 410, 422].includes(status);
      const { state } = session.store.getState();
      expect([status, state]).toEqual([status, isAboutToken ? "signed-out" : "signed-in"]);
    }
  });

  it("[session] keeps the user signed in while the relay is unreachable", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const { session, client } = browser.openTab();
    await session.login("farmer", "good");
    api.dead.add("a1");
    api.down = true;
    await expect(client.call(ANY)).rejects.toBeInstanceOf(NoAnswerError);
    expect(username(session)).toBe("farmer");
    api.down = false;
    await expect(client.call(ANY)).resolves.toEqual({ by: "farmer" });
  });

  it("[session] treats 403 from account/info as an expired login", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const { session } = browser.openTab();
    await session.login("farmer", "good");
    api.disabled = true;
    await session.start();
    expect(session.store.getState()).toEqual({ state: "signed-out", reason: "expired" });
  });

  it("[session] treats 403 from any other call as an error only", async () => {
    const api = createFakeApi();
    const { session } = createFakeBrowser(api).openTab();
    await session.login("farmer", "good");
    const forbidding: Fetch = async () => new Response("{}", { status: 403 });
    const client = createRestClient(session, forbidding);
    await expect(client.call(ANY)).rejects.toBeInstanceOf(ApiError);
    expect(username(session)).toBe("farmer");
  });

  it("[session] ends every tab on logout, also without the farm API", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const one = browser.openTab();
    const two = browser.openTab();
    await one.session.login("farmer", "good");
    await two.session.start();
    api.down = true;
    await one.session.logout();
    await Promise.resolve();
    expect(one.session.store.getState()).toEqual({ state: "signed-out", reason: "left" });
    expect(two.session.store.getState()).toEqual({ state: "signed-out", reason: "left" });
    expect(browser.local.items.size).toBe(0);
  });

  it("[session] ends the session on the server by a logout in a fresh tab", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    await browser.openTab().session.login("farmer", "good");
    const fresh = browser.openTab();
    await Promise.all([fresh.session.start(), fresh.session.logout()]);
    expect(api.calls.at(-1)).toContain("/api/account/logout");
    expect(fresh.session.store.getState()).toEqual({ state: "signed-out", reason: "left" });
    expect(browser.local.items.size).toBe(0);
  });

  it("[CMD-15] keeps the user signed in until a logout that closes valves is forwarded", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const one = browser.openTab();
    const two = browser.openTab();
    await one.session.login("farmer", "good");
    await two.session.start();
    api.refuses = "valve-open";
    await expect(one.session.logoutAfterClosing()).rejects.toMatchObject({ status: 409, code: "valve-open" });
    expect([username(one.session), username(two.session)]).toEqual(["farmer", "farmer"]);
    api.refuses = null;
    await one.session.logoutAfterClosing();
    await Promise.resolve();
    expect(one.session.store.getState()).toEqual({ state: "signed-out", reason: "left" });
    expect(two.session.store.getState()).toEqual({ state: "signed-out", reason: "left" });
  });

  it("[CMD-15] marks a logout despite an open valve for the relay and leaves at once", async () => {
    const api = createFakeApi();
    const { session } = createFakeBrowser(api).openTab();
    await session.login("farmer", "good");
    await session.logoutDespiteOpenValve();
    expect(api.despite).toEqual(["1"]);
    expect(username(session)).toBe("signed-out");
  });

  it.each([
    ["the tab's own entry", true],
    ["the browser's refresh token", false],
  ])("[session] keeps a logout final while a start by %s is pending", async (_, knowsTab) => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const { session, tab } = browser.openTab();
    const pair = api.pair(api.farmer);
    const entry = { accessToken: pair.accessToken, account: api.farmer };
    if (knowsTab) tab.setItem(AUTH_USER_KEY, JSON.stringify(entry));
    browser.local.setItem(REFRESH_TOKEN_KEY, pair.refreshToken);
    const way = Promise.withResolvers<void>();
    api.arrives = way.promise;
    const start = session.start();
    await expect.poll(() => api.calls.length).toBe(1);
    const logout = session.logout();
    way.resolve();
    await Promise.all([start, logout]);
    expect(session.store.getState()).toEqual({ state: "signed-out", reason: "left" });
    expect([...tab.items, ...browser.local.items]).toEqual([]);
  });

  it("[session] adopts another tab's sign-in as another user", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const one = browser.openTab();
    const two = browser.openTab();
    await one.session.login("farmer", "good");
    await two.session.login("neighbor", "good");
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await expect(one.client.call(ANY)).resolves.toEqual({ by: "neighbor" });
    expect(username(one.session)).toBe("neighbor");
  });

  it("[session] updates a changed account in every tab, and at the next start of each", async () => {
    const api = createFakeApi();
    const browser = createFakeBrowser(api);
    const one = browser.openTab();
    const two = browser.openTab();
    await one.session.login("farmer", "good");
    await two.session.start();
    api.farmer.nickname = "다온";
    await one.session.reloadAccount();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    for (const { session, tab } of [one, two]) {
      expect(session.store.getState()).toMatchObject({ account: { nickname: "다온" } });
      expect(JSON.parse(tab.items.get(AUTH_USER_KEY) ?? "")).toMatchObject({ account: { nickname: "다온" } });
    }
  });

  it("[session] reloads the account also with an expired token", async () => {
    const api = createFakeApi();
    const { session } = createFakeBrowser(api).openTab();
    await session.login("farmer", "good");
    api.farmer.nickname = "다온";
    api.dead.add("a1");
    await session.reloadAccount();
    expect(session.store.getState()).toMatchObject({ account: { nickname: "다온" }, accessToken: "a2" });
  });

  it("[session] keeps the known account while the relay is unreachable", async () => {
    const api = createFakeApi();
    const { session } = createFakeBrowser(api).openTab();
    await session.login("farmer", "good");
    const before = session.store.getState();
    api.down = true;
    await expect(session.reloadAccount()).rejects.toBeInstanceOf(NoAnswerError);
    expect(session.store.getState()).toEqual(before);
  });
});

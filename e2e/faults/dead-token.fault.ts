import { setTimeout as sleep } from "node:timers/promises";
import { SessionEntry, TokenPair } from "@mulkko/shared/rest/account";
import { OutboxEntry } from "@mulkko/shared/rest/admin";
import {
  accountInfo,
  accountUpdate,
  recoverBegin,
  recoverConfirm,
  sessionEnd,
  tokenRefresh,
} from "@mulkko/shared/rest/operations/account";
import { adminChangePassword, adminOutbox, adminUserUpdate } from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { PageOf } from "@mulkko/shared/rest/paging";
import { relayPath } from "@mulkko/shared/rest/routes";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { DEMO_PASSWORD, login, read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { openPlainWebSocket, type PlainWebSocket } from "@mulkko/testing/stack/plain-websocket";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";

/** A dead token is dead everywhere within this time, ms (AUTH-5). */
const DEAD_WITHIN_MS = 10_000;
const EMAIL = "farmer@example.com";

/** The relay does not receive the API's MQTT output: as if that message were lost. */
describe("a token that has ended at the farm API's own port", () => {
  let stack: Stack;
  let browser: Browser;
  let admin: SignedIn;
  let farmerId: string;

  const send = (method: string, path: string, token: string, body: object = {}): Promise<Response> =>
    fetch(stack.apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const done = async (answer: Promise<Response>): Promise<void> => {
    const { ok, status, url } = await answer;
    expect([ok, status, url]).toEqual([true, status, url]);
  };
  const pairOf = async (): Promise<TokenPair> =>
    read(await login(stack.apiUrl, "farmer", DEMO_PASSWORD), TokenPair);
  const refresh = (refreshToken: string): Promise<Response> =>
    fetch(stack.apiUrl + tokenRefresh.path, { method: "PUT", headers: { refreshToken } });
  const setPassword = (newPassword: string): Promise<void> =>
    done(
      send("PUT", pathTo(adminChangePassword, { id: farmerId }), admin.token, {
        newPassword,
        confirmPassword: newPassword,
      }),
    );
  const disable = (disabled: boolean): Promise<void> =>
    done(send("PUT", pathTo(adminUserUpdate, { id: farmerId }), admin.token, { disabled }));

  /** End the thief's session, and restore the account after the test. */
  const deeds: [string, (thief: TokenPair) => Promise<void>, () => Promise<void>][] = [
    [
      "a recovered password",
      async () => {
        const farmer = await signIn(stack.apiUrl, "farmer");
        const account = await (await farmer.get(accountInfo.path)).json();
        await done(
          send("PUT", pathTo(accountUpdate, { id: farmerId }), farmer.token, {
            ...account,
            userAddress: EMAIL,
          }),
        );
        await done(send("POST", recoverBegin.path, "", { email: EMAIL }));
        const mailed = async (): Promise<string | undefined> => {
          const answer = await admin.get(adminOutbox.path);
          const { content } = await read(answer, PageOf(OutboxEntry));
          return content.map(({ body }) => /token=([\w-]{43})/.exec(body)?.[1]).find((token) => token);
        };
        await expect.poll(mailed).toBeDefined();
        const token = await mailed();
        await done(send("POST", recoverConfirm.path, "", { token, password: "Harrow+2027" }));
      },
      () => setPassword(DEMO_PASSWORD),
    ],
    [
      "a refresh token that was used twice",
      async (thief) => {
        const first = thief.refreshToken ?? "";
        const second = await read(await refresh(first), TokenPair);
        await read(await refresh(second.refreshToken ?? ""), TokenPair);
        expect((await refresh(first)).status).toBe(401);
      },
      async () => undefined,
    ],
    ["a suspended account", () => disable(true), () => disable(false)],
    ["another password", () => setPassword("Harrow+2027"), () => setPassword(DEMO_PASSWORD)],
    [
      "a session that was ended from afar",
      async (thief) => {
        const list = await fetch(`${stack.apiUrl}/api/v1/session`, {
          headers: { authorization: `Bearer ${thief.accessToken}` },
        });
        const own = (await read(list, Type.Array(SessionEntry))).find(({ current }) => current);
        await done(send("DELETE", pathTo(sessionEnd, { id: own?.id ?? "" }), thief.accessToken));
      },
      async () => undefined,
    ],
  ];

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack({ RELAY_MQTT_URL: "off" }), launchChromium()]);
    admin = await signIn(stack.apiUrl, "admin");
    const farmer = await signIn(stack.apiUrl, "farmer");
    const { id } = await (await farmer.get(accountInfo.path)).json();
    farmerId = String(id);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it.each(deeds)(
    "[AUTH-5] %s: changes nothing, and is dead everywhere within 10 s",
    async (_what, end, mend) => {
      const thief = await pairOf();
      const authorization = `Bearer ${thief.accessToken}`;
      const status = async (method: string, path: string, body?: object): Promise<number> => {
        const answer = await fetch(stack.url + path, {
          method,
          headers: { authorization, ...(body && { "content-type": "application/json" }) },
          ...(body && { body: JSON.stringify(body) }),
        });
        await answer.arrayBuffer();
        return answer.status;
      };
      let webSocket: PlainWebSocket | undefined;
      try {
        webSocket = await openPlainWebSocket(stack.url, thief.accessToken);
        await webSocket.waitFor(({ t }) => t === "welcome");
        let closedWith: number | undefined;
        void webSocket.closed.then((code) => {
          closedWith = code;
        });
        expect(await status("GET", relayPath.settings)).toBe(200);
        await end(thief);
        const endedAt = performance.now();
        const refused = [401, 403];
        expect(refused).toContain(await status("PUT", relayPath.settings, { adoptExternal: true }));
        expect(refused).toContain(await status("POST", relayPath.closeAll("all")));
        expect(refused).toContain(await status("POST", relayPath.stopWatching));
        await expect
          .poll(() => closedWith, { timeout: DEAD_WITHIN_MS - (performance.now() - endedAt) })
          .toBeDefined();
        expect([4401, 4503, 4504]).toContain(closedWith);
        expect(refused).toContain(await status("GET", relayPath.settings));
      } finally {
        webSocket?.close();
        await mend();
      }
    },
  );

  it("[AUTH-5] ends a stream whose token makes no requests within 10 s", async () => {
    const thief = await pairOf();
    const webSocket = await openPlainWebSocket(stack.url, thief.accessToken);
    await webSocket.waitFor(({ t }) => t === "welcome");
    await setPassword("Harrow+2027");
    const late = sleep(DEAD_WITHIN_MS).then(() => "late");
    const code = await Promise.race([webSocket.closed, late]);
    await setPassword(DEMO_PASSWORD);
    // 4401 where a poll with this token was refused first.
    expect([4401, 4503]).toContain(code);
  });

  it("[AUTH-4] leaves for the login when its session was ended elsewhere, and keeps nothing of the farm", async () => {
    const context = await newVisitor(browser, { viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    const page: Page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
    await page.goto(`${stack.url}/sensors`);
    await page.getByRole("main").getByText("토양", { exact: false }).first().waitFor();
    await setPassword("Harrow+2027");
    await page.waitForURL("**/login", { timeout: DEAD_WITHIN_MS + 2_000 });
    const kept = () =>
      page.evaluate(async () => {
        const [session, local] = [JSON.stringify(sessionStorage), JSON.stringify(localStorage)];
        const databases = await indexedDB.databases();
        const rows = await Promise.all(
          databases.map(
            ({ name = "" }) =>
              new Promise<number>((resolve, reject) => {
                const opening = indexedDB.open(name);
                opening.onerror = () => reject(opening.error);
                opening.onsuccess = () => {
                  const { result } = opening;
                  const [store] = result.objectStoreNames;
                  if (store === undefined) return resolve(0);
                  const counting = result.transaction(store).objectStore(store).count();
                  counting.onsuccess = () => {
                    result.close();
                    resolve(counting.result);
                  };
                };
              }),
          ),
        );
        return { session, local, rows: rows.reduce((sum, count) => sum + count, 0) };
      });
    await expect.poll(async () => (await kept()).rows).toBe(0);
    const { session, local } = await kept();
    expect(session).not.toContain("authUser");
    expect(local).not.toContain("refreshToken");
    await context.close();
    await setPassword(DEMO_PASSWORD);
  });
});

import { Account } from "@mulkko/shared/entities/account";
import type { TokenPair } from "@mulkko/shared/rest/account";
import { SignInEntry } from "@mulkko/shared/rest/admin";
import {
  accountInfo,
  accountLogin,
  accountLogout,
  tokenRefresh,
} from "@mulkko/shared/rest/operations/account";
import { adminSignIns } from "@mulkko/shared/rest/operations/admin";
import { PageOf } from "@mulkko/shared/rest/paging";
import { parse } from "@mulkko/shared/schema/parse";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FARMER, PASSWORD, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { sweepSignIns } from "./sign-ins.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());
// Let the limits of the previous test expire.
beforeEach(() => farm.clock.advance(11 * 60_000));

const LOGIN = accountLogin.path;
const login = (options: object) => farm.app.inject({ method: "POST", url: LOGIN, ...options });
const info = (authorization?: string) =>
  farm.app.inject({ url: accountInfo.path, headers: authorization ? { authorization } : {} });
const refresh = (token: string) =>
  farm.app.inject({ method: "PUT", url: tokenRefresh.path, headers: { refreshtoken: token } });
const tokenOf = ({ refreshToken = "" }: TokenPair): string => refreshToken;

describe("[account] login", () => {
  const right = { username: "farmer-one", password: PASSWORD };

  test.each([
    ["query", { query: right }],
    ["JSON body", { payload: right }],
    [
      "form body",
      {
        payload: new URLSearchParams(right).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
    ],
  ])("[account] by %s gives both tokens, the refresh token under both names", async (_case, options) => {
    const answer = await login(options);
    expect(answer.statusCode).toBe(200);
    const pair = answer.json<TokenPair>();
    expect(pair.refeshToken).toBe(pair.refreshToken);
    const account = (await info(`Bearer ${pair.accessToken}`)).json();
    expect(parse(Account, account).ok).toBe(true);
    expect(account).toMatchObject({ id: FARMER, username: "farmer-one", userType: "USER", language: "KO" });
    expect(account).not.toHaveProperty("password_hash");
  });

  test.each([
    ["a wrong password", { ...right, password: "wrong-password" }],
    ["an unknown name", { ...right, username: "nobody-here" }],
    ["the demo's password", { ...right, password: "mulkko2026!" }],
  ])("[account] %s is 401, with the same words", async (_case, payload) => {
    const answer = await login({ payload });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({
      status: 401,
      error: "Unauthorized",
      code: "invalid-credentials",
      message: "the user name or the password is wrong",
    });
  });

  test.each([
    ["nothing", {}],
    ["only a name", { payload: { username: "farmer-one" } }],
    ["an empty password", { payload: { username: "farmer-one", password: "" } }],
    ["a number as name", { payload: { username: 5, password: "x" } }],
    ["a list", { payload: [] }],
    ["a very long name", { payload: { username: "x".repeat(65), password: "x" } }],
  ])("[account] %s is 422 and names the field", async (_case, options) => {
    const answer = await login(options);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().code).toBe("validation");
    expect(["username", "password"]).toContain(answer.json().errors[0].field);
  });

  test("[account] answers 400 to an unreadable body, 415 to another type, 413 to an oversized body", async () => {
    const json = { "content-type": "application/json" };
    expect((await login({ payload: "{nonsense", headers: json })).json()).toMatchObject({
      status: 400,
      code: "malformed",
    });
    expect(
      (await login({ payload: "<login/>", headers: { "content-type": "text/xml" } })).json(),
    ).toMatchObject({ status: 415, error: "Unsupported Media Type" });
    const large = JSON.stringify({ username: "x".repeat(10_000_000), password: "x" });
    expect((await login({ payload: large, headers: json })).json()).toMatchObject({
      status: 413,
      code: "too-large",
    });
  });

  test("[account] delays guesses increasingly, then refuses with Retry-After, even the right password", async () => {
    farm.waits.length = 0;
    const headers = { "x-forwarded-for": "203.0.113.5" };
    const wrong = { ...right, password: "guess" };
    for (let index = 0; index < 10; index += 1) await login({ payload: wrong, headers });
    expect(farm.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    const refused = await login({ payload: right, headers });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.json().code).toBe("too-many-requests");
    // Its owner has signed in at the usual address before.
    farm.waits.length = 0;
    expect((await login({ payload: wrong })).statusCode).toBe(401);
    expect((await login({ payload: right })).statusCode).toBe(200);
    expect(farm.waits).toEqual([]);
    const elsewhere = await login({ payload: right, headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(elsewhere.statusCode).toBe(200);
  });

  test("[account] ignores the case of a name, also in its limits", async () => {
    expect((await login({ payload: { ...right, username: "Farmer-One" } })).statusCode).toBe(200);
    for (let index = 0; index < 10; index += 1) await login({ payload: { ...right, password: "guess" } });
    expect((await login({ payload: { ...right, username: "FARMER-ONE" } })).statusCode).toBe(429);
  });

  test("[account] tells a disabled account so, and ends its tokens", async () => {
    const { authorization } = await farm.signIn("farmer-two");
    await farm.app.database.query("update account set disabled = true where username = 'farmer-two'");
    expect((await info(authorization)).json()).toMatchObject({ status: 403, code: "account-disabled" });
    expect((await login({ payload: { ...right, username: "farmer-two" } })).statusCode).toBe(403);
    await farm.app.database.query("update account set disabled = false where username = 'farmer-two'");
  });
});

describe("[account] access tokens", () => {
  test.each([
    ["none", undefined],
    ["nonsense", "Bearer nonsense"],
    ["another scheme", "Basic Zm9vOmJhcg=="],
    ["an unsigned token", `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"x","scope":"full"}')}.`],
  ])("[account] %s is 401", async (_case, authorization) => {
    const answer = await info(authorization);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ status: 401, error: "Unauthorized", code: "unauthorized" });
  });

  test("[account] a token is valid for thirty minutes", async () => {
    const { authorization } = await farm.signIn("farmer-one");
    farm.clock.advance(29 * 60_000);
    expect((await info(authorization)).statusCode).toBe(200);
    farm.clock.advance(61_000);
    expect((await info(authorization)).statusCode).toBe(401);
  });

  test("[account] logout is 204 and ends that session only, at once, with its refresh token", async () => {
    const phone = await farm.signIn("farmer-one");
    const desktop = await farm.signIn("farmer-one");
    const out = await farm.app.inject({
      url: accountLogout.path,
      headers: { authorization: phone.authorization },
    });
    expect(out.statusCode).toBe(204);
    expect((await info(phone.authorization)).statusCode).toBe(401);
    expect((await refresh(tokenOf(phone.pair))).json()).toMatchObject({ status: 401, code: "session-ended" });
    expect((await refresh("unknown")).json()).toMatchObject({ status: 401, code: "token-expired" });
    expect((await info(desktop.authorization)).statusCode).toBe(200);
  });
});

describe("[account] refresh", () => {
  test("[account] rotates: returns a new working pair, and the chain continues", async () => {
    let { pair } = await farm.signIn("farmer-one");
    for (let index = 0; index < 3; index += 1) {
      farm.clock.advance(20 * 60_000);
      const answer = await refresh(tokenOf(pair));
      expect(answer.statusCode).toBe(200);
      const next = answer.json<TokenPair>();
      expect(next.refreshToken).not.toBe(pair.refreshToken);
      expect((await info(`Bearer ${next.accessToken}`)).statusCode).toBe(200);
      pair = next;
    }
  });

  test("[account] two simultaneous tabs get the same new pair, even a minute later", async () => {
    const { pair } = await farm.signIn("farmer-one");
    farm.clock.advance(1_000);
    const [one, two] = await Promise.all([refresh(tokenOf(pair)), refresh(tokenOf(pair))]);
    farm.clock.advance(59_000);
    const three = await refresh(tokenOf(pair));
    expect(one.json()).toEqual(two.json());
    expect(three.json()).toEqual(one.json());
    expect((await refresh(tokenOf(one.json<TokenPair>()))).statusCode).toBe(200);
  });

  test("[account] after its grace period a used token revokes the whole family", async () => {
    const { pair } = await farm.signIn("farmer-one");
    const next = (await refresh(tokenOf(pair))).json<TokenPair>();
    farm.clock.advance(60_001);
    expect((await refresh(tokenOf(pair))).statusCode).toBe(401);
    expect((await refresh(tokenOf(next))).statusCode).toBe(401);
    expect((await info(`Bearer ${next.accessToken}`)).statusCode).toBe(401);
  });

  test("[account] once the new pair was refreshed, the old token revokes the family even within its grace period", async () => {
    const { pair } = await farm.signIn("farmer-one");
    const second = (await refresh(tokenOf(pair))).json<TokenPair>();
    const third = (await refresh(tokenOf(second))).json<TokenPair>();
    expect((await refresh(tokenOf(pair))).statusCode).toBe(401);
    expect((await refresh(tokenOf(third))).statusCode).toBe(401);
  });

  test("[account] thirty days without use end it; unknown, missing and huge tokens are 401", async () => {
    const { pair } = await farm.signIn("farmer-one");
    farm.clock.advance(30 * 86_400_000);
    expect((await refresh(tokenOf(pair))).statusCode).toBe(401);
    expect((await refresh("unknown")).statusCode).toBe(401);
    expect((await refresh("x".repeat(4_000))).statusCode).toBe(401);
    expect((await refresh("")).json()).toMatchObject({ status: 401, code: "token-expired" });
  });

  test("[account] the database contains no token in plain text", async () => {
    const { pair } = await farm.signIn("farmer-one");
    const rows = await farm.app.database.query("select encode(hash, 'escape') as hash from refresh_token");
    expect(JSON.stringify(rows)).not.toContain(tokenOf(pair));
  });
});

describe("[audit] sign-ins", () => {
  const list = async (query = "", who = "overseer") => {
    const { authorization } = await farm.signIn(who);
    return farm.app.inject({ url: `${adminSignIns.path}${query}`, headers: { authorization } });
  };

  test("[audit] records successes and failures with their address, repeated failures as one entry", async () => {
    const from = { "x-forwarded-for": "203.0.113.77", "user-agent": "Firefox" };
    const payload = { username: "farmer-one", password: PASSWORD };
    await login({ payload, headers: from });
    for (let index = 0; index < 3; index += 1) {
      await login({ payload: { ...payload, password: "wrong" }, headers: from });
    }
    await login({ payload: { username: "my-passw0rd", password: "x" }, headers: from });
    const answer = await list("?q=203.0.113.77");
    expect(parse(PageOf(SignInEntry), answer.json()).ok).toBe(true);
    const common = { address: "203.0.113.77", userAgent: "Firefox" };
    expect(answer.json().content).toMatchObject([
      { ...common, outcome: "unknown-name", userId: null, username: "", attempts: 1 },
      { ...common, outcome: "wrong-password", userId: FARMER, username: "farmer-one", attempts: 3 },
      { ...common, outcome: "signed-in", userId: FARMER, username: "farmer-one", attempts: 1 },
    ]);
    expect(answer.body).not.toContain("my-passw0rd");
    const failed = await list("?q=203.0.113.77&outcome=wrong-password");
    expect(failed.json().totalElements).toBe(1);
  });

  test("[audit] are for administrators only, and are limited by number and age", async () => {
    expect((await list("", "farmer-one")).statusCode).toBe(403);
    const { database } = farm.app;
    const count = async () => (await database.query("select 1 from sign_in")).length;
    await sweepSignIns(database, farm.clock.now(), 2);
    expect(await count()).toBe(2);
    await sweepSignIns(database, farm.clock.now() + 366 * 86_400_000);
    expect(await count()).toBe(0);
  });
});

import type { Account } from "@mulkko/shared/entities/account";
import type { TokenPair } from "@mulkko/shared/rest/account";
import type { UserEntry } from "@mulkko/shared/rest/admin-user";
import { accountInfo, accountLogin } from "@mulkko/shared/rest/operations/account";
import { adminUserDelete, adminUserRegister } from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm({}, { empty: true });
});
afterAll(() => farm.close());

const PERSON = {
  username: "first-admin",
  password: "Mulkko+2027",
  nickname: "관리자",
  userAddress: "kim@example.com",
};
const setup = (payload: object) => farm.app.inject({ method: "POST", url: "/api/v1/setup", payload });
const needed = async () => (await farm.app.inject("/api/v1/setup")).json();

test("[setup] an empty farm needs its first administrator, and accepts one with the printed code only, once", async () => {
  const code = farm.app.setupCode ?? "";
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{12}$/);
  expect(await needed()).toEqual({ needed: true });
  expect((await setup({ ...PERSON, code: "WRONGWRONG22" })).json()).toMatchObject({
    status: 403,
    code: "forbidden",
  });
  expect((await setup({ ...PERSON })).json().errors[0].field).toBe("code");
  for (const [change, field] of [
    [{ password: "mulkko2026!" }, "password"],
    [{ password: "short" }, "password"],
    [{ username: "no" }, "username"],
    [{ nickname: "" }, "nickname"],
    [{ userAddress: "" }, "userAddress"],
    [{ userAddress: "not-an-email" }, "userAddress"],
  ] as const) {
    const refused = await setup({ ...PERSON, code, ...change });
    expect([refused.statusCode, refused.json().errors[0].field]).toEqual([422, field]);
  }
  const [made, late] = await Promise.all([
    setup({ ...PERSON, language: "en", code: code.toLowerCase() }),
    setup({ ...PERSON, username: "second-admin", code }),
  ]);
  expect([made.statusCode, late.statusCode]).toEqual([201, 409]);
  expect(made.json()).toMatchObject({
    username: "first-admin",
    userType: "ADMIN",
    nickname: "관리자",
    userAddress: "kim@example.com",
    language: "EN",
  });
  expect(await needed()).toEqual({ needed: false });
  const login = await farm.app.inject({
    method: "POST",
    url: "/api/account/login",
    payload: { username: PERSON.username, password: PERSON.password },
  });
  expect(login.statusCode).toBe(200);
});

test("[FIRST-1] reports to an administrator that there is no other account, until one is registered", async () => {
  const fresh = await startTestFarm({}, { empty: true });
  try {
    const code = fresh.app.setupCode ?? "";
    await fresh.app.inject({ method: "POST", url: "/api/v1/setup", payload: { ...PERSON, code } });
    const payload = { username: PERSON.username, password: PERSON.password };
    const login = await fresh.app.inject({ method: "POST", url: accountLogin.path, payload });
    const headers = { authorization: `Bearer ${login.json<TokenPair>().accessToken}` };
    const isOnly = async () =>
      (await fresh.app.inject({ url: accountInfo.path, headers })).json<Account>().onlyAccount;
    const call = (method: "POST" | "DELETE", url: string, body?: object) =>
      fresh.app.inject({ method, url, headers, ...(body && { payload: body }) });
    expect(await isOnly()).toBe(true);
    const second = { ...PERSON, username: "farmer-one", farmAddress: "논산", phone: "041-1" };
    const { id } = (await call("POST", adminUserRegister.path, second)).json<UserEntry>();
    expect(await isOnly()).toBe(false);
    expect((await call("DELETE", pathTo(adminUserDelete, { id }))).statusCode).toBe(204);
    expect(await isOnly()).toBe(true);
  } finally {
    await fresh.close();
  }
});

test("[setup] a demo names its accounts, which can sign in; an empty farm names none", async () => {
  const demo = await startTestFarm({ DEMO: "on" });
  const state = (await demo.app.inject("/api/v1/setup")).json();
  expect(state).toEqual({
    needed: false,
    demo: { usernames: ["farmer", "neighbor", "admin"], password: "mulkko2026!", ownDevices: true },
  });
  await demo.close();
});

test.each([
  [
    "in lower case with separators, as one reads it aloud",
    (code: string) => code.toLowerCase().replace(/(.{4})/g, "$1-"),
  ],
  ["in groups", (code: string) => code.replace(/(.{4})(.{4})/, " $1 $2\u00a0")],
  ["with dots and slashes", (code: string) => [...code].join("./")],
  [
    "in full width",
    (code: string) => code.replace(/./g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  ],
])("[setup] accepts the printed code typed %s", async (_how, typed) => {
  const fresh = await startTestFarm({}, { empty: true });
  try {
    const payload = { ...PERSON, code: typed(fresh.app.setupCode ?? "") };
    const answer = await fresh.app.inject({ method: "POST", url: "/api/v1/setup", payload });
    expect([answer.statusCode, answer.json().code]).toEqual([201, undefined]);
  } finally {
    await fresh.close();
  }
});

test("[setup] allows twenty guesses of the code", async () => {
  const fresh = await startTestFarm({}, { empty: true });
  const guess = () =>
    fresh.app.inject({ method: "POST", url: "/api/v1/setup", payload: { ...PERSON, code: "GUESS" } });
  for (let index = 0; index < 20; index += 1) expect((await guess()).statusCode).toBe(403);
  expect((await guess()).statusCode).toBe(429);
  // The next start makes another code.
  expect(await fresh.app.database.query("select 1 from setting where key = 'setup-code'")).toEqual([]);
  await fresh.close();
});

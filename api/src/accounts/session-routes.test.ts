import { SessionEntry } from "@mulkko/shared/rest/account";
import {
  accountInfo,
  accountLogin,
  sessionEnd,
  sessionList,
  tokenRefresh,
} from "@mulkko/shared/rest/operations/account";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSWORD, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());
beforeEach(() => farm.app.database.query("delete from session"));

const list = async (authorization: string): Promise<SessionEntry[]> => {
  const answer = await farm.app.inject({ url: sessionList.path, headers: { authorization } });
  expect(parse(Type.Array(SessionEntry), answer.json()).ok).toBe(true);
  return answer.json();
};
const end = (id: string, authorization: string) =>
  farm.app.inject({ method: "DELETE", url: pathTo(sessionEnd, { id }), headers: { authorization } });

test("[session] lists the caller's sessions, last used first, with the current one marked", async () => {
  const phone = await farm.signIn("farmer-one");
  farm.clock.advance(60_000);
  await farm.app.inject({
    method: "POST",
    url: accountLogin.path,
    payload: { username: "farmer-one", password: PASSWORD },
    headers: { "user-agent": `Farm phone ${"x".repeat(400)}` },
  });
  await farm.signIn("farmer-two");
  const sessions = await list(phone.authorization);
  expect(sessions.map(({ current }) => current)).toEqual([false, true]);
  expect(sessions[0]?.userAgent).toHaveLength(300);
  expect(sessions[1]?.createdDate).toBe(sessions[1]?.usedDate);
  farm.clock.advance(60_000);
  await farm.app.inject({
    method: "PUT",
    url: tokenRefresh.path,
    headers: { refreshtoken: phone.pair.refreshToken ?? "" },
  });
  const [first] = await list(phone.authorization);
  expect(first).toMatchObject({ current: true });
  expect(first?.usedDate).not.toBe(first?.createdDate);
});

test("[session] ends another session at once; it disappears from the list, and cannot be ended twice", async () => {
  const phone = await farm.signIn("farmer-one");
  const desktop = await farm.signIn("farmer-one");
  const other = (await list(phone.authorization)).find(({ current }) => !current);
  expect((await end(other?.id ?? "", phone.authorization)).statusCode).toBe(204);
  const info = { url: accountInfo.path, headers: { authorization: desktop.authorization } };
  expect((await farm.app.inject(info)).statusCode).toBe(401);
  expect(await list(phone.authorization)).toHaveLength(1);
  expect((await end(other?.id ?? "", phone.authorization)).statusCode).toBe(404);
});

test("[session] another account's, an unknown and an invalid one are 404, even for an administrator", async () => {
  const { authorization } = await farm.signIn("farmer-one");
  const [mine] = await list(authorization);
  const overseer = await farm.signIn("overseer");
  for (const id of [mine?.id ?? "", "99999999-0000-4000-8000-000000000001", "1;drop"]) {
    expect((await end(id, overseer.authorization)).json()).toMatchObject({ status: 404, code: "not-found" });
  }
  expect(await list(authorization)).toHaveLength(1);
});

test("[session] answers 401 without a token; does not list expired sessions", async () => {
  expect((await farm.app.inject({ url: sessionList.path })).statusCode).toBe(401);
  expect((await end("x", "")).statusCode).toBe(401);
  await farm.signIn("farmer-one");
  farm.clock.advance(31 * 86_400_000);
  const { authorization } = await farm.signIn("farmer-one");
  expect(await list(authorization)).toHaveLength(1);
});

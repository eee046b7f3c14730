import { AccessChanges } from "@mulkko/shared/rest/access-changes";
import { accountLogout, sessionEnd, sessionList, tokenRefresh } from "@mulkko/shared/rest/operations/account";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { relayAccess } from "@mulkko/shared/rest/operations/relay-calls";
import { parse } from "@mulkko/shared/schema/parse";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ADMIN, FARMER, NEIGHBOR, RELAY_KEY, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

const ask = async (since?: string): Promise<AccessChanges> => {
  const query = since === undefined ? "" : `?since=${encodeURIComponent(since)}`;
  const answer = await farm.app.inject({
    url: `${relayAccess.path}${query}`,
    headers: { relaykey: RELAY_KEY },
  });
  const parsed = parse(AccessChanges, answer.json());
  if (!parsed.ok) throw new Error(`${answer.statusCode} ${answer.body}`);
  return parsed.value;
};

let before: AccessChanges;
beforeEach(async () => {
  farm.clock.advance(11 * 60_000);
  before = await ask();
  farm.clock.advance(61_000);
});

/** Return the changes since the test began, as `account of farmer-one`. */
const received = async (): Promise<string[]> => {
  const names: Record<string, string> = {
    [FARMER]: "farmer-one",
    [NEIGHBOR]: "farmer-two",
    [ADMIN]: "overseer",
  };
  const { changes } = await ask(before.at);
  return changes.map(({ entity, userId }) => `${entity} of ${names[userId]}`).sort();
};

test("[AUTH-4] reports to the relay each session that ends at the API's own port", async () => {
  const login = async (): Promise<string> => (await farm.signIn("farmer-one")).authorization;
  const [first, second] = [await login(), await login()];
  expect(await received()).toEqual([]);
  await farm.app.inject({ url: accountLogout.path, headers: { authorization: first } });
  expect(await received()).toEqual(["account of farmer-one"]);
  farm.clock.advance(61_000);
  before = await ask();
  farm.clock.advance(61_000);
  const sessions = await farm.app.inject({ url: sessionList.path, headers: { authorization: second } });
  const [own] = sessions.json();
  await farm.app.inject({
    method: "DELETE",
    url: pathTo(sessionEnd, { id: own.id }),
    headers: { authorization: second },
  });
  expect(await received()).toEqual(["account of farmer-one"]);
});

test("[AUTH-4] reports to the relay a refresh token used twice: its session ended", async () => {
  const { pair } = await farm.signIn("farmer-two");
  const refresh = (refreshToken: string) =>
    farm.app.inject({ method: "PUT", url: tokenRefresh.path, headers: { refreshtoken: refreshToken } });
  const stolen = pair.refreshToken ?? "";
  const next = (await refresh(stolen)).json().refreshToken;
  farm.clock.advance(60_000);
  await refresh(next);
  expect(await received()).toEqual([]);
  expect((await refresh(stolen)).statusCode).toBe(401);
  expect(await received()).toEqual(["account of farmer-two"]);
});

test("[AUTH-4] reports to the relay a suspension and a password change", async () => {
  const { authorization } = await farm.signIn("overseer");
  const headers = { authorization };
  const change = (path: string, payload: object) =>
    farm.app.inject({ method: "PUT", url: `/api/v1/admin/user/${path}/${NEIGHBOR}`, headers, payload });
  await change("update", { disabled: true });
  expect(await received()).toEqual(["account of farmer-two"]);
  await change("update", { disabled: false });
  const password = "Harrow+2027";
  const changed = await change("changepassword", { newPassword: password, confirmPassword: password });
  expect(changed.statusCode).toBe(204);
  expect(await received()).toEqual(["account of farmer-two", "password of farmer-two"]);
});

test("[AUTH-4] repeats a change for a minute, in case its transaction was slow, and then stops", async () => {
  const { authorization } = await farm.signIn("farmer-one");
  await farm.app.inject({ url: accountLogout.path, headers: { authorization } });
  farm.clock.advance(30_000);
  const { at, changes } = await ask(before.at);
  expect(changes).toHaveLength(1);
  expect((await ask(at)).changes).toEqual(changes);
  farm.clock.advance(31_000);
  const { at: later } = await ask(at);
  expect((await ask(later)).changes).toEqual([]);
});

test("[AUTH-5] reports a change also while the clock is behind the one before and the caller's last answer", async () => {
  const logOut = async (): Promise<void> => {
    const { authorization } = await farm.signIn("farmer-one");
    await farm.app.inject({ url: accountLogout.path, headers: { authorization } });
  };
  await logOut();
  const { at, changes } = await ask();
  const dateOf = (all: AccessChanges["changes"]): string =>
    all.find(({ userId, entity }) => userId === FARMER && entity === "account")?.at ?? "";
  farm.clock.jump(-86_400_000);
  await logOut();
  const { at: behind, changes: after } = await ask(at);
  expect(behind < at).toBe(true);
  expect(dateOf(after) > dateOf(changes)).toBe(true);
  farm.clock.jump(86_400_000);
});

test("[AUTH-4] reports no changes without the key of the relay", async () => {
  expect((await farm.app.inject(relayAccess.path)).statusCode).toBe(401);
});

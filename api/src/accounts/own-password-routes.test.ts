import { accountInfo, accountLogin, ownPassword } from "@mulkko/shared/rest/operations/account";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

const FRESH = "Harrow+2027";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

const change = (authorization: string, payload: object) =>
  farm.app.inject({ method: "POST", url: ownPassword.path, headers: { authorization }, payload });
const info = async (authorization: string) =>
  (await farm.app.inject({ url: accountInfo.path, headers: { authorization } })).statusCode;
const login = async (username: string, password: string) =>
  (await farm.app.inject({ method: "POST", url: accountLogin.path, payload: { username, password } }))
    .statusCode;

test("[own-password] changes the password with the current one; other sessions end, this one stays", async () => {
  const here = await farm.signIn("farmer-one");
  const elsewhere = await farm.signIn("farmer-one");
  const body = { currentPassword: PASSWORD, newPassword: FRESH, confirmPassword: FRESH };
  expect((await change(here.authorization, body)).statusCode).toBe(204);
  expect([await info(here.authorization), await info(elsewhere.authorization)]).toEqual([200, 401]);
  expect([await login("farmer-one", PASSWORD), await login("farmer-one", FRESH)]).toEqual([401, 200]);
});

test("[own-password] reports a wrong current password and an invalid new one at their fields", async () => {
  const { authorization } = await farm.signIn("farmer-two");
  const fieldsOf = async (payload: object) => {
    const answer = await change(authorization, payload);
    const { errors } = answer.json<{ errors: { field: string }[] }>();
    return [answer.statusCode, ...errors.map(({ field }) => field)];
  };
  const good = { currentPassword: PASSWORD, newPassword: FRESH, confirmPassword: FRESH };
  expect(await fieldsOf({ ...good, currentPassword: "wrong" })).toEqual([422, "currentPassword"]);
  expect(await fieldsOf({ ...good, newPassword: "1", confirmPassword: "2" })).toEqual([
    422,
    "newPassword",
    "confirmPassword",
  ]);
  expect(await login("farmer-two", PASSWORD)).toBe(200);
});

test("[own-password] a token does not allow guessing the password", async () => {
  const { authorization } = await farm.signIn("overseer");
  const guess = async () =>
    (await change(authorization, { currentPassword: "guess", newPassword: FRESH, confirmPassword: FRESH }))
      .statusCode;
  for (let index = 0; index < 10; index += 1) expect(await guess()).toBe(422);
  expect(await guess()).toBe(429);
  expect((await change("Bearer none", {})).statusCode).toBe(401);
});

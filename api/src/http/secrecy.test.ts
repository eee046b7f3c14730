import { accountInfo, accountLogin, tokenRefresh } from "@mulkko/shared/rest/operations/account";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FARMER, PASSWORD, RELAY_KEY, SOIL, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

test("[log] never logs a password, token, key or login query, at the most verbose level", async () => {
  const { app } = farm;
  const { authorization, pair } = await farm.signIn("farmer-one");
  const wrong = "not-my-Passw0rd";
  await app.inject({ method: "POST", url: `${accountLogin.path}?username=farmer-one&password=${wrong}` });
  await app.inject({
    method: "POST",
    url: accountLogin.path,
    payload: { username: "farmer-one", password: wrong },
  });
  await app.inject({
    method: "POST",
    url: `/api/v1/nothing?password=${wrong}`,
    payload: { password: wrong },
  });
  await app.inject({ method: "POST", url: `${accountLogin.path}?password=${wrong}`, payload: `{"${wrong}` });
  await app.inject({ url: `${accountInfo.path}?accessToken=${wrong}`, headers: { authorization } });
  await app.inject({
    method: "PUT",
    url: tokenRefresh.path,
    headers: { refreshtoken: pair.refreshToken ?? "" },
  });
  const relay = await app.inject({
    method: "POST",
    url: relaySession.path,
    headers: { relaykey: RELAY_KEY },
    payload: { userId: FARMER },
  });
  await farm.connect({ username: String(SOIL.serial), password: wrong }).catch(() => undefined);
  await (await farm.connect(SOIL)).publishAsync(`mulkko/${SOIL.serial}/up`, '{"moisture": 1}', { qos: 1 });
  const log = farm.lines.join("");
  expect(log).toContain(`"path":"${accountLogin.path}"`);
  expect(log).toContain("refused MQTT connection");
  for (const secret of [
    PASSWORD,
    encodeURIComponent(PASSWORD),
    wrong,
    RELAY_KEY,
    SOIL.key,
    pair.accessToken,
    pair.refreshToken ?? "",
    relay.json().accessToken,
  ]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(log).not.toContain(secret);
  }
});

test("[headers] no cache stores tokens, no shared cache stores personal data, and no browser treats an answer as a page", async () => {
  const { app } = farm;
  const { authorization, pair } = await farm.signIn("farmer-one");
  const login = await app.inject({
    method: "POST",
    url: accountLogin.path,
    payload: { username: "farmer-one", password: PASSWORD },
  });
  const refresh = await app.inject({
    method: "PUT",
    url: tokenRefresh.path,
    headers: { refreshtoken: pair.refreshToken ?? "" },
  });
  for (const answer of [login, refresh]) {
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
  }
  for (const url of [accountInfo.path, sensorList.path]) {
    const { headers } = await app.inject({ url, headers: { authorization } });
    expect(headers).toMatchObject({
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none';frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
    });
  }
  expect((await app.inject("/nowhere")).headers["x-content-type-options"]).toBe("nosniff");
});

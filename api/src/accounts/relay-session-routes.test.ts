import { EXTENSIONS } from "@mulkko/shared/rest/capabilities";
import { accountInfo, capabilityList } from "@mulkko/shared/rest/operations/account";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { sensorList, sensorRead } from "@mulkko/shared/rest/operations/sensors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FARMER, FOREIGN, RELAY_KEY, SOIL, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

const session = (payload: object, relaykey?: string) =>
  farm.app.inject({
    method: "POST",
    url: relaySession.path,
    headers: relaykey ? { relaykey } : {},
    payload,
  });

test("[CRED-1] the relay key permits reading one account for ten minutes, and no other", async () => {
  const answer = await session({ userId: FARMER }, RELAY_KEY);
  const headers = { authorization: `Bearer ${answer.json().accessToken}` };
  const get = async (url: string) => (await farm.app.inject({ url, headers })).statusCode;
  expect(await get(sensorList.path)).toBe(200);
  expect(await get(accountInfo.path)).toBe(200);
  expect(await get(pathTo(sensorRead, { id: SOIL.id }))).toBe(200);
  expect(await get(pathTo(sensorRead, { id: FOREIGN.id }))).toBe(404);
  farm.clock.advance(9 * 60_000);
  expect(await get(sensorList.path)).toBe(200);
  farm.clock.advance(60_001);
  expect(await get(sensorList.path)).toBe(401);
});

test("[CRED-1] a missing or wrong key is 401, an unknown account 404, a missing one 422", async () => {
  expect((await session({ userId: FARMER })).json()).toMatchObject({ status: 401, code: "unauthorized" });
  expect((await session({ userId: FARMER }, `${RELAY_KEY}x`)).statusCode).toBe(401);
  expect((await session({ userId: "99999999-0000-4000-8000-000000000001" }, RELAY_KEY)).statusCode).toBe(404);
  expect((await session({}, RELAY_KEY)).statusCode).toBe(422);
});

test("[capabilities] lists the available extensions; without a relay key those of the relay are missing", async () => {
  const withKey = (await farm.app.inject(capabilityList.path)).json().extensions;
  expect(EXTENSIONS).toEqual(expect.arrayContaining(withKey));
  const plain = await startTestFarm({ RELAY_KEY: "" });
  const without = (await plain.app.inject(capabilityList.path)).json().extensions;
  expect(without).toContain("idempotent-cmd");
  const needKey = withKey.filter((name: string) => !without.includes(name));
  expect(needKey.toSorted()).toEqual([
    "mqtt-out",
    "relay-access",
    "relay-accounts",
    "relay-audit",
    "relay-session",
    "relay-storage",
  ]);
  const answer = await plain.app.inject({
    method: "POST",
    url: relaySession.path,
    payload: { userId: FARMER },
  });
  expect(answer.statusCode).toBe(404);
  await plain.close();
});

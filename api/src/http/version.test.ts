import { accountInfo, accountUpdate } from "@mulkko/shared/rest/operations/account";
import {
  adminSensors,
  adminSensorUpdate,
  adminUser,
  adminUserUpdate,
} from "@mulkko/shared/rest/operations/admin";
import {
  channelSensorRemove,
  controllerList,
  controllerRead,
} from "@mulkko/shared/rest/operations/controllers";
import { clusterList, clusterUpdate } from "@mulkko/shared/rest/operations/farms";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList, sensorUpdate } from "@mulkko/shared/rest/operations/sensors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FARMER, SOIL, startTestFarm, type TestFarm, VALVES } from "../../testing/test-farm.ts";

let farm: TestFarm;
const authorizations: Record<string, string> = {};
beforeAll(async () => {
  farm = await startTestFarm();
  for (const who of ["farmer-one", "overseer"]) {
    authorizations[who] = (await farm.signIn(who)).authorization;
  }
});
afterAll(() => farm.close());

const ask = (who: string, method: "GET" | "PUT", url: string, payload?: object, version?: string) =>
  farm.app.inject({
    method,
    url,
    headers: {
      authorization: authorizations[who] ?? "",
      ...(version === undefined ? {} : { "if-match": `"${version}"` }),
    },
    ...(payload ? { payload } : {}),
  });
const one = async (who: string, url: string, id: string | number) => {
  const answer = (await ask(who, "GET", url)).json();
  const rows: { id: string | number; version: string; name: string }[] = Array.isArray(answer)
    ? answer
    : [answer];
  const found = rows.find((row) => row.id === id);
  if (!found) throw new Error(`no ${id} at ${url}`);
  return found;
};

describe.each([
  [
    "an account",
    "overseer",
    pathTo(adminUser, { id: FARMER }),
    pathTo(adminUserUpdate, { id: FARMER }),
    FARMER,
  ],
  ["a sensor", "farmer-one", sensorList.path, pathTo(sensorUpdate, { id: SOIL.id }), SOIL.id],
  ["any sensor", "overseer", adminSensors.path, adminSensorUpdate.path, SOIL.id],
  ["a controller", "farmer-one", controllerList.path, pathTo(controllerRead, { id: VALVES.id }), VALVES.id],
  ["a farm", "farmer-one", clusterList.path, pathTo(clusterUpdate, { id: 1 }), 1],
  ["one's own account", "farmer-one", accountInfo.path, pathTo(accountUpdate, { id: FARMER }), FARMER],
])("[versions] %s", (what, who, read, write, id) => {
  const body = (word: string) =>
    what.endsWith("account")
      ? { nickname: word }
      : { id, name: word, ...(what === "a controller" ? { serial: VALVES.serial } : { deviceType: "SMS" }) };

  test("[versions] accepts one change of a read version; the second of the same version is 412", async () => {
    const { version } = await one(who, read, id);
    expect(version).toMatch(/^[\w-]{10}$/);
    expect((await ask(who, "PUT", write, body("first"), version)).statusCode).toBe(200);
    const stale = await ask(who, "PUT", write, body("second"), version);
    expect(stale.json()).toMatchObject({ status: 412, code: "changed-meanwhile" });
    const now = await one(who, read, id);
    expect(JSON.stringify(now)).toContain("first");
    expect(now.version).not.toBe(version);
    expect((await ask(who, "PUT", write, body("second"), now.version)).statusCode).toBe(200);
  });

  test("[versions] compares nothing without the header, as in the plain contract", async () => {
    expect((await ask(who, "PUT", write, body("third"))).statusCode).toBe(200);
  });
});

test("[versions] removing a sensor from a channel changes the version of its controller", async () => {
  const before = await one("farmer-one", controllerList.path, VALVES.id);
  const url = pathTo(channelSensorRemove, { channelId: 1, sensorId: SOIL.id });
  const headers = { authorization: authorizations["farmer-one"] ?? "" };
  expect((await farm.app.inject({ method: "DELETE", url, headers })).statusCode).toBe(204);
  const after = await one("farmer-one", controllerList.path, VALVES.id);
  expect(after.version).not.toBe(before.version);
});

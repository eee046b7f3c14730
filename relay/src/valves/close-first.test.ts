import { accountLogin, accountLogout } from "@mulkko/shared/rest/operations/account";
import { adminSensorDelete } from "@mulkko/shared/rest/operations/admin";
import {
  channelDelete,
  channelSensorRemove,
  controllerCommand,
  controllerRead,
} from "@mulkko/shared/rest/operations/controllers";
import { clusterDelete } from "@mulkko/shared/rest/operations/farms";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorDelete } from "@mulkko/shared/rest/operations/sensors";
import { DESPITE_OPEN_VALVE, relayPath } from "@mulkko/shared/rest/routes";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { buildPlainFarm, type PlainFarm } from "../../testing/plain-api.ts";
import { type PlainApiHarness, startPlainApiHarness } from "../../testing/plain-api-harness.ts";
import { lastCallOf } from "./close-first.ts";

test.each([
  ["GET", accountLogout.path, { of: "logout" }],
  ["DELETE", pathTo(channelDelete, { channelId: 11 }), { of: "channel", id: "11" }],
  ["DELETE", pathTo(controllerRead, { id: "a b" }), { of: "device", id: "a b" }],
  ["DELETE", pathTo(sensorDelete, { id: 3 }), { of: "device", id: "3" }],
  ["DELETE", pathTo(adminSensorDelete, { id: 3 }), { of: "any-sensor", id: "3" }],
  ["GET", pathTo(controllerRead, { id: 3 }), null],
  ["DELETE", pathTo(channelSensorRemove, { channelId: 11, sensorId: 1 }), null],
  ["DELETE", pathTo(clusterDelete, { id: 5 }), null],
])("[CMD-15] %s %s", (method, path, call) => {
  expect(lastCallOf(method, path)).toEqual(call);
});

describe("in front of an API that ends no run by itself", () => {
  let harness: PlainApiHarness;
  let farm: PlainFarm;
  beforeEach(async () => {
    farm = buildPlainFarm({
      sensors: [{ id: 4, name: "밸브", deviceType: "COT", serial: 100_004, chNums: 1 }],
      controllers: [
        {
          id: 3,
          serial: 200_001,
          name: "밸브함",
          type: "CON04V",
          channels: [{ id: 11, channelNumber: 1, sensors: [] }],
        },
      ],
      states: new Map([["200001/11", { onoff: 2 }]]),
    });
    harness = await startPlainApiHarness(farm, { POLL_CHANNEL_MS: "200" });
  });
  afterEach(() => harness.close());

  const open = async (): Promise<void> => {
    const answer = await fetch(`${harness.origin}${controllerCommand.path}`, {
      method: "POST",
      headers: { authorization: "Bearer bare-token", "content-type": "application/json" },
      body: JSON.stringify({
        uuid: 3,
        command: "onoff",
        deviceType: "controller",
        channel: 1,
        payload: 1,
        maxRunSeconds: 600,
      }),
    });
    expect(answer.status).toBe(200);
    expect(farm.states.get("200001/11")?.onoff).toBe(1);
    // A screen is connected: the relay knows that the valve is open.
    const screen = await harness.look();
    await expect.poll(() => screen.value("channel:11")?.onoff, { timeout: 10_000 }).toBe(1);
    screen.leave();
  };
  const remove = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${harness.origin}${path}`, {
      method: "DELETE",
      headers: { authorization: "Bearer bare-token", ...headers },
    });
  const passed = (path: string) =>
    harness.api.requests.filter((one) => one.method === "DELETE" && one.path === path).length;

  it.each([pathTo(channelDelete, { channelId: 11 }), pathTo(controllerRead, { id: 3 })])(
    "[CMD-15] %s is passed on once its open valve is reported closed",
    async (path) => {
      await open();
      const answer = remove(path);
      await expect.poll(() => farm.states.get("200001/11")?.onoff, { timeout: 10_000 }).toBe(2);
      expect(passed(path)).toBe(0);
      await answer;
      expect(passed(path)).toBe(1);
    },
    40_000,
  );

  it("[CMD-15] with a valve that does not close is refused, and passed on only if the user insists", async () => {
    await open();
    const stays = setInterval(() => farm.states.set("200001/11", { onoff: 1 }), 5);
    const answer = await remove(pathTo(channelDelete, { channelId: 11 }));
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: "valve-open" });
    expect(passed(pathTo(channelDelete, { channelId: 11 }))).toBe(0);
    await remove(pathTo(channelDelete, { channelId: 11 }), { [DESPITE_OPEN_VALVE]: "1" });
    expect(passed(pathTo(channelDelete, { channelId: 11 }))).toBe(1);
    clearInterval(stays);
  }, 60_000);

  const closesFirst = async (): Promise<unknown> => (await harness.get(relayPath.logout)).json();

  it("[CMD-15] lists the valves that a log-out closes first, by name and number, while one is open", async () => {
    expect(await closesFirst()).toEqual({ closesFirst: [] });
    await open();
    expect(await closesFirst()).toEqual({ closesFirst: [{ channelId: "11", name: "밸브함", number: 1 }] });
    expect((await fetch(harness.origin + relayPath.logout)).status).toBe(401);
  }, 40_000);

  it("[CMD-15] closes nothing before a log-out if the relay has its own session", async () => {
    // A relay that has just started has to have reached the API first.
    expect(await closesFirst()).toEqual({ closesFirst: [] });
    const login = await fetch(`${harness.origin}${accountLogin.path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "farmer", password: "password1" }),
    });
    expect(login.status).toBe(200);
    await open();
    // The relay's session reaches the account's owner shortly after the user's login is answered.
    await expect.poll(closesFirst, { timeout: 10_000 }).toEqual({ closesFirst: [] });
  }, 40_000);

  it("[CMD-15] a log-out over a valve that does not close is refused, and passed on if the user insists", async () => {
    await open();
    const stays = setInterval(() => farm.states.set("200001/11", { onoff: 1 }), 5);
    const refused = await harness.get(accountLogout.path);
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "valve-open" }]);
    expect(harness.api.tokens.has("bare-token")).toBe(true);
    expect((await harness.get(accountLogout.path, { [DESPITE_OPEN_VALVE]: "1" })).status).toBe(200);
    expect(harness.api.tokens.has("bare-token")).toBe(false);
    clearInterval(stays);
  }, 60_000);

  it("[CMD-15] a log-out without a session of the relay's own closes the run first", async () => {
    await open();
    const left = harness.get(accountLogout.path);
    await expect.poll(() => farm.states.get("200001/11")?.onoff, { timeout: 10_000 }).toBe(2);
    expect(harness.api.tokens.has("bare-token")).toBe(true);
    expect((await left).status).toBe(200);
    expect(harness.api.tokens.has("bare-token")).toBe(false);
  }, 40_000);

  it("[CMD-15] a deletion with its valve closed closes nothing, and a log-out leaves a manual opening", async () => {
    await remove(pathTo(controllerRead, { id: 3 }));
    expect(passed(pathTo(controllerRead, { id: 3 }))).toBe(1);
    farm.states.set("200001/11", { onoff: 1 });
    expect((await harness.get(accountLogout.path)).status).toBe(200);
    expect(harness.api.count(/controller\/cmd/)).toBe(0);
  }, 40_000);
});

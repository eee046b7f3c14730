import { connect } from "node:net";
import { accountLogin, accountLogout } from "@mulkko/shared/rest/operations/account";
import { adminUserDelete } from "@mulkko/shared/rest/operations/admin";
import { channelDelete, controllerCommand, controllerRead } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { DESPITE_OPEN_VALVE, relayPath } from "@mulkko/shared/rest/routes";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildPlainFarm, type PlainFarm } from "../../testing/plain-api.ts";
import { type PlainApiHarness, startPlainApiHarness } from "../../testing/plain-api-harness.ts";

/** Send a request whose target no library normalises. @returns the beginning of the answer */
function rawCall(port: number, method: string, target: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      answer += text;
    });
    socket.on("end", () => resolve(answer)).on("error", reject);
    socket.write(
      `${method} ${target} HTTP/1.1\r\nhost: relay\r\nconnection: close\r\nauthorization: Bearer bare-token\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

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

  it.each([
    "/api/v1/controller/cmd/",
    "/api/v1/controller/cmd/?x=1",
    "/api/v1/controller/./cmd",
    "/api/v1/controller\\cmd",
    "/api/v1/sensor/../controller/cmd",
    "/images/../api/v1/controller/cmd",
    "/api/v1/controller/CMD",
  ])("[PATH-1] %s is no command: nothing is sent, and the valve stays closed", async (target) => {
    const { port } = new URL(harness.origin);
    const body = JSON.stringify({
      uuid: 3,
      command: "onoff",
      deviceType: "controller",
      channel: 1,
      payload: 1,
    });
    const answer = await rawCall(Number(port), "POST", target, body);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"not-found"');
    expect(harness.api.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(farm.states.get("200001/11")?.onoff).toBe(2);
  });

  it.each([
    ["POST", "/api/v1/sensor/delete/3"],
    ["DELETE", "/api/v1/sensor/delete/3"],
    ["DELETE", "/api/v1/sensor/3"],
    ["POST", "/api/v1/controller/remove/200001"],
  ])(
    "[CMD-15] %s %s closes the open valve first",
    async (method, path) => {
      await open();
      const answer = fetch(`${harness.origin}${path}`, {
        method,
        headers: { authorization: "Bearer bare-token" },
      });
      await expect.poll(() => farm.states.get("200001/11")?.onoff, { timeout: 10_000 }).toBe(2);
      await answer;
      const order = harness.api.requests.map((one) => `${one.method} ${one.path}`);
      expect(order.at(-1)).toBe(`${method} ${path}`);
    },
    40_000,
  );

  it("[CMD-15] an account is deleted once its open valves are reported closed, also one's own", async () => {
    farm.account = { ...farm.account, userType: "ADMIN" };
    await open();
    const path = pathTo(adminUserDelete, { id: 7 });
    const answer = remove(path);
    await expect.poll(() => farm.states.get("200001/11")?.onoff, { timeout: 10_000 }).toBe(2);
    expect(passed(path)).toBe(0);
    await answer;
    expect(passed(path)).toBe(1);
  }, 40_000);

  const closesFirst = async (): Promise<unknown> => (await harness.get(relayPath.logout)).json();

  it("[CMD-15] lists the valves that a log-out closes first, by name and number, while one is open", async () => {
    expect(await closesFirst()).toEqual({ closesFirst: [] });
    await open();
    expect(await closesFirst()).toMatchObject({
      closesFirst: [{ channelId: "11", name: "밸브함", number: 1, form: "controller" }],
    });
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

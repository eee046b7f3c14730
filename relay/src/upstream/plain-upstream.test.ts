import { TokenPair } from "@mulkko/shared/rest/account";
import { WatchState } from "@mulkko/shared/rest/watch";
import { parse } from "@mulkko/shared/schema/parse";
import type { TSchema } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectWebSocket, type LiveClient } from "../../testing/live-client.ts";
import { buildPlainFarm } from "../../testing/plain-api.ts";
import { type PlainApiHarness, startPlainApiHarness } from "../../testing/plain-api-harness.ts";

const FAST = {
  POLL_SENSOR_MS: "300",
  POLL_CHANNEL_MS: "300",
  POLL_LIST_MS: "300",
  POLL_LIST_UNWATCHED_MS: "300",
  UPSTREAM_RPS: "500",
};
const WAIT = { timeout: 20_000, interval: 50 };
const LOGIN = /^\/api\/account\/login/;
const REFRESH = /^\/api\/account\/update\/refresh/;
const LIST = /^\/api\/v1\/sensor\/list$/;
const JSON_BODY = { "content-type": "application/json" };

const soil = (id: number) => ({ id, name: `토양 ${id}`, deviceType: "SMS", serial: 100_000 + id });
function farmOf(now: number) {
  return buildPlainFarm({
    farms: [{ id: 5, name: "논산", sensors: [soil(1)] }],
    sensors: [soil(1), soil(2), soil(3)],
    controllers: [
      {
        id: 3,
        serial: 200_001,
        name: "밸브함",
        type: "CON04V",
        channels: [{ id: 11, channelNumber: 1, sensors: [{ id: 1, serial: 100_001, name: "토양 1" }] }],
      },
    ],
    logs: new Map(["1", "2", "3"].map((id) => [id, [{ at: now, fields: { moisture: 31.5, battery: 80 } }]])),
    states: new Map([["200001/11", { onoff: 2, automatic: 0, reservation: 0, period: 0 }]]),
    moistures: new Map([["11", 31.5]]),
  });
}

describe("in front of an API without extensions", { timeout: 60_000 }, () => {
  let harness: PlainApiHarness;
  let lines: string[];
  let clients: LiveClient[];
  const now = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;

  beforeEach(async () => {
    lines = [];
    clients = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    harness = await startPlainApiHarness(farmOf(now), { ...FAST, LOG_LEVEL: "trace" }, { logStream });
    await expect.poll(() => harness.app.services.link.state.upstream, WAIT).toBe("up");
  });
  afterEach(async () => {
    for (const client of clients) client.leave();
    await harness.close();
    expect(lines.join("")).not.toMatch(/password1|fresh-pass|access-\d|refresh-\d/);
  });

  async function call<S extends TSchema>(schema: S, path: string, token: string, init: RequestInit = {}) {
    const headers = { authorization: `Bearer ${token}`, ...init.headers };
    const response = await fetch(`${harness.origin}${path}`, { ...init, headers });
    const parsed = parse(schema, await response.json());
    if (!parsed.ok) throw new Error(`${path} ${response.status}: ${parsed.path} ${parsed.message}`);
    return parsed.value;
  }
  const login = (password = "password1") =>
    fetch(`${harness.origin}/api/account/login`, {
      method: "POST",
      headers: JSON_BODY,
      body: JSON.stringify({ username: "farmer", password }),
    });
  const tokenOf = async (response: Response): Promise<string> => {
    const pair = parse(TokenPair, await response.json());
    if (!pair.ok) throw new Error("no tokens");
    return pair.value.accessToken;
  };
  const watch = (token: string) => call(WatchState, "/relay/watch", token);
  const signedIn = async (): Promise<string> => {
    const token = await tokenOf(await login());
    await expect.poll(async () => (await watch(token)).by, WAIT).toBe("sign-in");
    return token;
  };
  const look = async (token: string): Promise<LiveClient> => {
    const client = await connectWebSocket(harness.origin);
    clients.push(client);
    client.say({ t: "hello", protocol: 1, token });
    client.say({ t: "subscribe", stream: "devices" });
    return client;
  };
  const lists = () => harness.api.requests.filter(({ path }) => LIST.test(path));
  /** Wait until the relay itself polls the lists again and gets an answer. */
  const polledOn = async (): Promise<string | undefined> => {
    const before = lists().length;
    await expect.poll(() => lists().length, WAIT).toBeGreaterThan(before + 1);
    return lists().at(-1)?.token;
  };
  const press = (token: string, form: "controller" | "sensor", payload: 1 | 2, more: object = {}) =>
    fetch(`${harness.origin}/api/v1/${form}/cmd`, {
      method: "POST",
      headers: { ...JSON_BODY, authorization: `Bearer ${token}` },
      body: JSON.stringify({
        uuid: 3,
        command: "onoff",
        deviceType: "controller",
        channel: 1,
        payload,
        ...more,
      }),
    });
  /** Return the valve as the screen shows it, with all frames applied. */
  const valve = (client: LiveClient): Record<string, unknown> => {
    const value: Record<string, unknown> = {};
    for (const message of client.received) {
      if (message.t === "snapshot" && message.stream === "devices") {
        Object.assign(value, Object(message.state)["channel:11"]);
      } else if (message.t === "change") {
        Object.assign(value, message.set?.["channel:11"], message.patch?.["channel:11"]);
      }
    }
    return value;
  };

  it("[setup] an API without first set-up needs none, and the browser has no error to report", async () => {
    for (const headers of [{}, { authorization: "Bearer bare-token" }]) {
      const answer = await fetch(`${harness.origin}/api/v1/setup`, { headers });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ needed: false });
    }
    expect((await fetch(`${harness.origin}/api/v1/setup`, { method: "POST" })).status).toBe(401);
  });

  it("[CRED-1] the relay signs in before the user does, and each has its own tokens", async () => {
    const pair = parse(TokenPair, await (await login()).json());
    expect(pair).toMatchObject({ ok: true, value: { accessToken: "access-2", refeshToken: "refresh-2" } });
    expect(harness.api.count(LOGIN)).toBe(2);
    await expect.poll(() => polledOn(), WAIT).toBe("access-1");
    const kept = await watch("access-2");
    expect(kept).toEqual({ by: "sign-in", ended: null, mayStart: false });
  });

  it("[CRED-1] a refused login is refused, and starts no watch", async () => {
    const answer = await login("wrong-one");
    expect(answer.status).toBe(401);
    expect(await watch("bare-token")).toEqual({ by: "nobody", ended: null, mayStart: false });
  });

  it("[CRED-1] a login is passed on some seconds later if the API does not answer the relay's own", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    harness.api.hold = promise;
    const answer = login();
    await expect.poll(() => harness.api.count(LOGIN), WAIT).toBe(2);
    harness.api.hold = null;
    resolve();
    expect((await answer).status).toBe(200);
    harness.api.loginWith = 500;
    expect((await login()).status).toBe(500);
    harness.api.loginWith = null;
    expect((await login()).status).toBe(200);
  });

  it("[SUB-2] a screen gets the farm over the WebSocket transport, with Korean times as instants", async () => {
    const client = await look(await signedIn());
    const { state } = await client.next("snapshot");
    expect(state).toMatchObject({
      "farm:5": { info: { name: "논산" } },
      "sensor:1": { reading: { moisture: 31.5 }, at: new Date(now).toISOString(), quality: "fresh" },
      "channel:11": { controllerId: 3, number: 1 },
    });
  });

  it("[rest-contract] a COT sensor without channels in the list has as many as its own answer says", async () => {
    harness.api.farm.sensors.push({ ...soil(9), deviceType: "COT", chNums: 4 });
    const client = await look(await signedIn());
    const channels = () =>
      client.received.flatMap((message) => {
        if (message.t === "snapshot" && message.stream === "devices") return Object.keys(message.state);
        return message.t === "change" ? Object.keys(message.set ?? {}) : [];
      });
    await expect.poll(channels, WAIT).toContain("channel:9:4");
    expect(channels()).not.toContain("channel:9:5");
    harness.api.farm.sensors = harness.api.farm.sensors.map((sensor) => ({ ...sensor, chNums: null }));
    await polledOn();
    expect(client.received.some((message) => message.t === "change" && (message.del ?? []).length > 0)).toBe(
      false,
    );
  });

  it("[CMD-1] a valve is opened in the new form and closed in the legacy one; two equal reads confirm", async () => {
    const token = await signedIn();
    const client = await look(token);
    await expect.poll(() => valve(client).onoff, WAIT).toBe(2);
    expect((await press(token, "controller", 1, { maxRunSeconds: 600 })).status).toBe(200);
    await expect.poll(() => valve(client), WAIT).toMatchObject({ onoff: 1, command: null });
    expect((await press(token, "sensor", 2)).status).toBe(200);
    await expect.poll(() => valve(client), WAIT).toMatchObject({ onoff: 2, command: null });
    const sent = harness.api.requests.filter(
      ({ method, path }) => method === "POST" && path.endsWith("/cmd"),
    );
    // A close is repeated until it is confirmed.
    expect([...new Set(sent.map(({ path }) => path))]).toEqual([
      "/api/v1/controller/cmd",
      "/api/v1/sensor/cmd",
    ]);
    expect(sent.every((request) => request.token === token)).toBe(true);
    const log = await fetch(`${harness.origin}/relay/commands`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await log.text()).toMatch(/confirmed/);
  });

  it("[CRED-1] a run outlasts the user's session, and the relay closes it with its own", async () => {
    const token = await signedIn();
    const client = await look(token);
    await expect.poll(() => valve(client).onoff, WAIT).toBe(2);
    expect((await press(token, "controller", 1, { maxRunSeconds: 3 })).status).toBe(200);
    harness.api.tokens.delete(token);
    const closes = () => harness.api.requests.filter(({ body }) => /"payload":2/.test(body));
    await expect.poll(() => closes().length, WAIT).toBeGreaterThan(0);
    expect(closes()[0]?.token).toBe("access-1");
    expect(harness.api.farm.states.get("200001/11")).toMatchObject({ onoff: 2 });
  });

  it("[CRED-1] the user's logout does not end it, and one refresh recovers from a 401", async () => {
    const token = await signedIn();
    await fetch(`${harness.origin}/api/account/logout`, { headers: { authorization: `Bearer ${token}` } });
    expect(harness.api.tokens.has(token)).toBe(false);
    expect(await polledOn()).toBe("access-1");
    harness.api.tokens.delete("access-1");
    await expect.poll(() => lists().at(-1)?.token, WAIT).toBe("access-3");
    expect(harness.api.count(REFRESH)).toBe(1);
    expect([...harness.api.refreshTokens]).toEqual(["refresh-2", "refresh-3"]);
  });

  it("[CRED-1] a restarted relay recovers the farm with its stored session", async () => {
    await signedIn();
    await harness.restart();
    harness.api.tokens.clear();
    await expect.poll(() => harness.api.tokens.size, WAIT).toBe(1);
    expect(await polledOn()).toBe("access-3");
    await harness.restart();
    expect(await polledOn()).toBe("access-3");
    expect([harness.api.count(LOGIN), harness.api.count(REFRESH)]).toEqual([2, 1]);
  });

  it("[CRED-1] with another RELAY_SECRET the stored session is dropped, and a sign-in is requested", async () => {
    await signedIn();
    await harness.restart({ RELAY_SECRET: "another-secret-0123456789-0123456789" });
    const lost = { by: "nobody", ended: "secret-lost", mayStart: false };
    await expect.poll(() => watch("bare-token"), WAIT).toEqual(lost);
    expect(lines.join("")).toMatch(/another RELAY_SECRET/);
    await signedIn();
    await harness.restart({ RELAY_SECRET: "another-secret-0123456789-0123456789" });
    expect(await watch("bare-token")).toMatchObject({ by: "sign-in", ended: null });
  });

  it("[CRED-1] a password change through the relay ends it, until the next login", async () => {
    harness.api.farm.account = { ...harness.api.farm.account, userType: "ADMIN" };
    const token = await signedIn();
    const change = (id: number) =>
      fetch(`${harness.origin}/api/v1/admin/user/changepassword/${id}`, {
        method: "PUT",
        headers: { ...JSON_BODY, authorization: `Bearer ${token}` },
        body: JSON.stringify({ newPassword: "fresh-pass", confirmPassword: "fresh-pass" }),
      });
    expect((await change(8)).status).toBe(404);
    expect(await watch(token)).toMatchObject({ by: "sign-in" });
    expect((await change(7)).status).toBe(200);
    await expect.poll(() => watch(token), WAIT).toMatchObject({ by: "nobody", ended: "password-changed" });
    const next = await tokenOf(await login("fresh-pass"));
    await expect.poll(() => watch(next), WAIT).toMatchObject({ by: "sign-in", ended: null });
  });

  it("[CRED-1] a refused refresh ends it, and is not repeated endlessly", async () => {
    const token = await signedIn();
    harness.api.refreshTokens.delete("refresh-1");
    harness.api.tokens.delete("access-1");
    await expect.poll(() => watch(token), WAIT).toMatchObject({ by: "nobody", ended: "refused" });
    const client = await look(token);
    await client.next("snapshot");
    expect(await polledOn()).toBe(token);
    expect(harness.api.count(REFRESH)).toBe(1);
    await harness.restart();
    expect(harness.app.services.owners.stats().accounts).toBe(0);
  });

  it("[CRED-1] stopping the watch drops the session: polling ends with the last token, also after a restart", async () => {
    const token = await signedIn();
    const stopped = { by: "nobody", ended: "stopped", mayStart: false };
    expect(await call(WatchState, "/relay/stop-watching", token, { method: "POST" })).toEqual(stopped);
    await harness.restart();
    expect(harness.app.services.owners.stats().accounts).toBe(0);
    expect(await watch(token)).toEqual(stopped);
    await signedIn();
    expect(await polledOn()).toBe("access-3");
  });

  it("[CRED-1] another account's watch can be neither read nor ended without a token", async () => {
    await signedIn();
    for (const [method, path] of [
      ["GET", "/relay/watch"],
      ["POST", "/relay/stop-watching"],
      ["POST", "/relay/start-watching"],
    ] as const) {
      for (const headers of [{}, { authorization: "Bearer made-up" }]) {
        expect((await fetch(`${harness.origin}${path}`, { method, headers })).status).toBe(401);
      }
    }
    expect(await watch("bare-token")).toMatchObject({ by: "sign-in" });
  });

  it("[POLL-5] a viewer's ended token is replaced by the relay's own session, and screens of others stay live", async () => {
    harness.api.loginWith = 503;
    const client = await look("bare-token");
    await client.next("snapshot");
    expect(await polledOn()).toBe("bare-token");
    harness.api.loginWith = null;
    const token = await signedIn();
    expect(await polledOn()).toBe("access-1");
    const other = await look(token);
    await other.next("snapshot");
    harness.api.tokens.delete("bare-token");
    harness.api.farm.logs.set("1", [{ at: now + 5_000, fields: { moisture: 40, battery: 80 } }]);
    await expect
      .poll(() => JSON.stringify(other.received.filter(({ t }) => t === "change")), WAIT)
      .toMatch(/"moisture":40/);
  });

  it("[ONL-3] an API that writes its times in another zone than configured is reported as clock", async () => {
    await signedIn();
    await harness.restart({ API_TIMEZONE: "UTC" });
    const client = await look("bare-token");
    const { state } = await client.next("snapshot");
    await expect.poll(() => harness.app.services.link.state.upstream, WAIT).toBe("clock");
    expect(JSON.stringify(state)).not.toMatch(/"offline"/);
  });
});

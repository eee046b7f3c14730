import { CLOSE } from "@mulkko/shared/live/close-codes";
import { DisplayList, OwnDisplay } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { read } from "@mulkko/testing/stack/account";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  buildSettings,
  buildTwoFarms,
  callerOf,
  type DisplayHarness,
  FOREIGN,
  MINE,
  pair,
  startDisplayHarness,
  TOKEN,
} from "../../testing/displays/display-harness.ts";
import { buildFakeAccount } from "../../testing/fake-farm-api.ts";
import { connectWebSocket, type LiveClient } from "../../testing/live-client.ts";
import { newPrefix } from "../../testing/redis-harness.ts";
import { startRelayHarness } from "../../testing/relay-harness.ts";
import { until } from "../../testing/until.ts";
import { DISPLAY_LIMITS } from "./limits.ts";

type Other = Awaited<ReturnType<typeof startRelayHarness>>;

describe("displays over two nodes", () => {
  let redis: RunningRedis;
  let here: DisplayHarness;
  let there: Other;
  const prefix = newPrefix();
  const own = async (origin: string, token: string) =>
    callerOf(origin)("GET", relayPath.ownDisplay, { token });

  beforeAll(async () => {
    redis = await startRedis();
    const environment = {
      REDIS_URL: redis.url,
      REDIS_PREFIX: prefix,
      RELAY_SECRET: "a secret of both nodes, long enough",
    };
    here = await startDisplayHarness(buildTwoFarms(), environment);
    there = await startRelayHarness(here.account, {
      ...environment,
      RELAY_KEY: "0123456789abcdef",
      // One farm API for both.
      API_URL: here.api.origin,
    });
  });
  afterAll(async () => {
    await there.close();
    await here.close();
    await redis.stop();
  });

  test("[displays] a code requested at one node is approved at another, and the token is valid at both", async () => {
    const { token, display } = await pair(here.origin, buildSettings(), { approve: there.origin });
    for (const { origin } of [here, there]) {
      const { display: shown } = await read(await own(origin, token), OwnDisplay);
      expect(shown.id).toBe(display.id);
    }
  });

  test("[HS-2] a display sees only its farms from every node, and learns of its revocation at each", async () => {
    const { token, display } = await pair(here.origin);
    const clients = await Promise.all([here, there].map(({ origin }) => connectWebSocket(origin)));
    for (const client of clients) {
      client.say({ t: "hello", protocol: 1, token });
      client.say({ t: "subscribe", stream: "devices" });
      const { state } = await client.next("snapshot");
      expect(Object.keys(state)).toContain(`sensor:${MINE.sensor}`);
      expect(JSON.stringify(state)).not.toContain(FOREIGN);
    }
    await until(async () => {
      const answer = await callerOf(there.origin)("GET", relayPath.displays, { token: TOKEN });
      const { displays } = await read(answer, DisplayList);
      return displays.find(({ id }) => id === display.id)?.connected === true;
    });
    await callerOf(there.origin)("DELETE", relayPath.display(display.id), { token: TOKEN });
    for (const client of clients) expect(await client.gone).toBe(CLOSE.displayRevoked);
    expect((await own(here.origin, token)).status).toBe(401);
  });

  describe("a suspended account", () => {
    const ADMIN_TOKEN = "token-administrator";
    const FARMER = String(buildAccount().id);
    beforeAll(() => {
      const account = buildAccount({ id: "administrator", userType: "ADMIN" });
      here.api.accounts.push(buildFakeAccount({ token: ADMIN_TOKEN, account }));
    });
    const administer = (action: string) =>
      callerOf(here.origin)("PUT", `/api/v1/admin/user/${action}/${FARMER}`, {
        token: ADMIN_TOKEN,
        body: {},
      });
    /** Connect a screen of one display to each node. */
    const show = async (token: string): Promise<LiveClient[]> => {
      const clients = await Promise.all([here, there].map(({ origin }) => connectWebSocket(origin)));
      for (const client of clients) {
        client.say({ t: "hello", protocol: 1, token });
        client.say({ t: "subscribe", stream: "devices" });
        await client.next("snapshot");
      }
      return clients;
    };
    const statuses = (token: string) =>
      Promise.all([here, there].map(async ({ origin }) => (await own(origin, token)).status));
    const resumes = (token: string) =>
      until(async () => (await statuses(token)).every((status) => status === 200));

    // First, because after refused polls the account rests (POLL-3).
    test("[AUTH-4] ends its displays also when it was suspended outside the relays and polls are refused", async () => {
      const { token } = await pair(here.origin);
      const clients = await show(token);
      here.account.disabled = true;
      for (const client of clients) expect(await client.gone).toBe(CLOSE.accountDisabled);
      here.account.disabled = false;
      await administer("update");
      await resumes(token);
    });

    test("[AUTH-4] ends its displays on every node until it is no longer suspended", async () => {
      const { token } = await pair(here.origin);
      const clients = await show(token);
      here.account.disabled = true;
      await administer("update");
      for (const client of clients) expect(await client.gone).toBe(CLOSE.accountDisabled);
      await until(async () => (await statuses(token)).every((status) => status === 403));
      const again = await connectWebSocket(there.origin);
      again.say({ t: "hello", protocol: 1, token });
      expect(await again.gone).toBe(CLOSE.accountDisabled);
      here.account.disabled = false;
      await administer("update");
      await resumes(token);
      for (const client of await show(token)) client.leave();
    });

    test("[AUTH-4] another password revokes its displays on every node", async () => {
      const { token } = await pair(here.origin);
      const clients = await show(token);
      await administer("changepassword");
      for (const client of clients) expect(await client.gone).toBe(CLOSE.displayRevoked);
      expect(await statuses(token)).toEqual([401, 401]);
    });
  });

  test("[NODE-2] displays lost by Redis are restored, and revoked ones stay revoked", async () => {
    const kept = await pair(here.origin);
    const gone = await pair(here.origin);
    await callerOf(there.origin)("DELETE", relayPath.display(gone.display.id), { token: TOKEN });
    const client = new Redis(redis.url);
    const keys = await client.keys(`${prefix}{displays}:*`);
    await client.del(...keys);
    await until(async () => (await client.hexists(`${prefix}{displays}:all`, kept.display.id)) === 1);
    expect(await client.hexists(`${prefix}{displays}:all`, gone.display.id)).toBe(0);
    client.disconnect();
    expect((await own(there.origin, kept.token)).status).toBe(200);
    expect((await own(there.origin, gone.token)).status).toBe(401);
  });

  // Last, because no screen can be paired for ten minutes after it.
  test("[displays] limits guesses of codes over both nodes together", async () => {
    const guess = async ({ origin }: { readonly origin: string }) =>
      (await callerOf(origin)("GET", relayPath.displayCode("ZZZZZZZZ"), { token: TOKEN })).status;
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 100)
      statuses.push(await guess(here), await guess(there));
    const admitted = statuses.filter((status) => status === 404).length;
    expect(admitted).toBeGreaterThan(40);
    expect(admitted).toBeLessThanOrEqual(DISPLAY_LIMITS.guessesPerAccount);
    expect([await guess(here), await guess(there)]).toEqual([429, 429]);
  });
});

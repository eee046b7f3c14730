import { buildAccount } from "@mulkko/shared/testing/builders";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildFakeAccount } from "../../testing/fake-farm-api.ts";
import { connectWebSocket, type LiveClient } from "../../testing/live-client.ts";
import { newPrefix } from "../../testing/redis-harness.ts";
import { type RelayHarness, startRelayHarness } from "../../testing/relay-harness.ts";

const FARMER = String(buildAccount().id);

/** Two whole relays on one Redis, before one farm API; all viewers use the second. */
describe("tokens on two nodes", () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  let here: RelayHarness;
  let there: RelayHarness;
  let clients: LiveClient[];
  beforeEach(async () => {
    clients = [];
    const shared = {
      REDIS_URL: redis.url,
      REDIS_PREFIX: newPrefix(),
      RELAY_SECRET: "a-secret-of-the-relay-0123456789",
    };
    here = await startRelayHarness(buildFakeAccount(), shared);
    here.api.accounts.push(
      buildFakeAccount({ token: "token-phone" }),
      buildFakeAccount({ token: "token-other", account: buildAccount({ id: "another", userType: "ADMIN" }) }),
    );
    there = await startRelayHarness(buildFakeAccount(), { ...shared, API_URL: here.api.origin });
  });
  afterEach(async () => {
    for (const client of clients) client.leave();
    await Promise.all([here.close(), there.close()]);
  });

  const accountOf = (token: string) => {
    const found = here.api.accounts.find((one) => one.token === token);
    if (!found) throw new Error(`no account has the token ${token}`);
    return found;
  };
  const look = async (token: string): Promise<LiveClient> => {
    const client = await connectWebSocket(there.origin);
    clients.push(client);
    client.say({ t: "hello", protocol: 1, token });
    client.say({ t: "subscribe", stream: "devices" });
    await client.next("snapshot");
    return client;
  };
  const call = (method: string, path: string, token: string) =>
    fetch(here.origin + path, { method, headers: { authorization: `Bearer ${token}` } });
  const revoke = (token: string): void => {
    accountOf(token).token = `${token}, revoked`;
  };

  test("[AUTH-4] another password ends the sessions of revoked tokens on every node, and no others", async () => {
    const revoked = await look("token-farmer");
    const kept = await look("token-phone");
    revoke("token-farmer");
    await call("PUT", `/api/v1/admin/user/changepassword/${FARMER}`, "token-phone");
    expect(await revoked.gone).toBe(4503);
    kept.say({ t: "unsubscribe", stream: "devices" });
    kept.say({ t: "subscribe", stream: "devices" });
    await kept.next("snapshot");
  });

  test("[AUTH-4] a user disabled by an administrator on one node is disconnected from the other", async () => {
    const disabled = await look("token-farmer");
    accountOf("token-farmer").disabled = true;
    await call("PUT", `/api/v1/admin/user/update/${FARMER}`, "token-other");
    expect(await disabled.gone).toBe(4504);
    expect(
      (await fetch(`${there.origin}/relay/alarms`, { headers: { authorization: "Bearer token-farmer" } }))
        .status,
    ).toBe(403);
  });

  test("[AUTH-4] a logout on one node ends the sessions of its token on the other", async () => {
    const client = await look("token-farmer");
    // The node of the logout has to know the token's account.
    await call("GET", "/relay/alarms", "token-farmer");
    expect((await call("GET", "/api/account/logout", "token-farmer")).status).toBe(204);
    expect(await client.gone).toBe(4503);
  });

  test("[AUTH-4] a token rejected at one node ends its sessions on the other, with 4401", async () => {
    const client = await look("token-farmer");
    revoke("token-farmer");
    expect((await call("GET", "/api/v1/noti/list", "token-farmer")).status).toBe(401);
    expect(await client.gone).toBe(4401);
  });
});

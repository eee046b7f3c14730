import { CLOSE } from "@mulkko/shared/live/close-codes";
import { buildAccount, buildDisplaySettings, buildSensor } from "@mulkko/shared/testing/builders";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { pairDisplay } from "@mulkko/testing/stack/displays";
import { afterAll, beforeAll, describe, it } from "vitest";
import { buildFakeAccount, type FakeApiAccount, type FakeFarmApi } from "../../testing/fake-farm-api.ts";
import { connectWebSocket, type LiveClient } from "../../testing/live-client.ts";
import { newPrefix } from "../../testing/redis-harness.ts";
import { type RelayHarness, startRelayHarness } from "../../testing/relay-harness.ts";
import { until } from "../../testing/until.ts";

const KEY = "0123456789abcdef";
const ADMIN = buildAccount({ id: "10000000-0000-4000-8000-00000000ad01", userType: "ADMIN" });
const ADMIN_TOKEN = "token-admin";
/** Longer than an interval of the poll of ended tokens. */
const SOON = { timeout: 20_000, interval: 50 };

/** An event at the farm API. */
type Happening = "another password" | "suspension" | "deletion" | "log-out" | "token ended";

/** How a relay learns of it; the session and the display are at the other one. */
type Way = "a call through the relay" | "a message" | "a poll of ended tokens" | "refused calls";

/** The state of each thing afterwards. */
interface After {
  /** Codes with which a live session may end, whose token the API no longer accepts. */
  readonly session: readonly number[];
  /** Status of a call with that token. */
  readonly call: number;
  /** The live session of a paired display. */
  readonly display: number | "stays";
  /** True if the relay may still use a session of its own for the account (CRED-1 a). */
  readonly own: boolean;
}

const AFTER: Readonly<Record<Happening, After>> = {
  "another password": { session: [CLOSE.revoked], call: 401, display: CLOSE.displayRevoked, own: true },
  suspension: { session: [CLOSE.accountDisabled], call: 403, display: CLOSE.accountDisabled, own: false },
  // A poll with the token may be refused before the deletion is reported.
  deletion: { session: [CLOSE.revoked, CLOSE.token], call: 401, display: CLOSE.displayRevoked, own: false },
  "log-out": { session: [CLOSE.revoked], call: 401, display: "stays", own: true },
  "token ended": { session: [CLOSE.token], call: 401, display: "stays", own: true },
};

const REPORTED: readonly Way[] = ["a call through the relay", "a message", "a poll of ended tokens"];
/** Each way in which access ends, by each way in which a relay can learn of it. */
const ROWS: readonly { readonly what: Happening; readonly way: Way }[] = [
  ...REPORTED.flatMap((way) =>
    (["another password", "suspension", "deletion", "log-out"] as const).map((what) => ({ what, way })),
  ),
  { what: "deletion", way: "refused calls" },
  { what: "token ended", way: "refused calls" },
];

/** Two whole relays on one Redis, in front of one farm API, with an account for each row. */
describe("every way in which access ends", () => {
  let redis: RunningRedis;
  let here: RelayHarness;
  let there: RelayHarness;
  let api: FakeFarmApi;
  const clients: LiveClient[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    const shared = {
      ...{ REDIS_URL: redis.url, REDIS_PREFIX: newPrefix() },
      ...{ RELAY_SECRET: "a-secret-of-the-relay-0123456789", RELAY_KEY: KEY, POLL_LIST_MS: "300" },
    };
    here = await startRelayHarness(
      buildFakeAccount({ account: ADMIN, token: ADMIN_TOKEN }),
      shared,
      (fake) => {
        fake.extensions = ["relay-session", "relay-access"];
        fake.relayKey = KEY;
      },
    );
    ({ api } = here);
    there = await startRelayHarness(buildFakeAccount(), { ...shared, API_URL: api.origin });
    // From then on proofs are believed until an end is reported: nothing else ends a session meanwhile.
    await until(() => [here, there].every(({ app }) => app.services.ends.isReporting), 30_000);
  }, 60_000);
  afterAll(async () => {
    for (const client of clients) client.leave();
    await Promise.all([here?.close(), there?.close()]);
    await redis?.stop();
  });

  const addAccount = (index: number): FakeApiAccount => {
    const id = `20000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const added = buildFakeAccount({
      account: buildAccount({ id, username: `farmer-${index}`, userType: "USER" }),
      token: `token-${index}`,
      sensors: [buildSensor({ id: id.replace("2", "3"), serial: 300_000 + index })],
    });
    api.accounts.push(added);
    return added;
  };
  const look = async (token: string): Promise<LiveClient> => {
    const client = await connectWebSocket(there.origin);
    clients.push(client);
    client.say({ t: "hello", protocol: 1, token });
    client.say({ t: "subscribe", stream: "devices" });
    await client.next("snapshot");
    return client;
  };
  const isOwn = (accountId: string): Promise<boolean> =>
    there.app.services.owners.ownToken(accountId).then(
      () => true,
      () => false,
    );
  /** Let it happen at the farm API alone. */
  const happen = (what: Happening, farmer: FakeApiAccount): void => {
    if (what === "suspension") farmer.disabled = true;
    else if (what === "deletion") api.accounts.splice(api.accounts.indexOf(farmer), 1);
    else farmer.token = `${farmer.token}, ended`;
  };
  const THROUGH: Readonly<Record<Happening, (id: string) => readonly [method: string, path: string]>> = {
    "another password": (id) => ["PUT", `/api/v1/admin/user/changepassword/${id}`],
    suspension: (id) => ["PUT", `/api/v1/admin/user/update/${id}`],
    deletion: (id) => ["DELETE", `/api/v1/admin/user/delete/${id}`],
    "log-out": () => ["GET", "/api/account/logout"],
    "token ended": () => ["GET", "/api/v1/noti/list"],
  };

  it.concurrent.for(ROWS)("[AUTH-4] $what, learned by $way", { timeout: 60_000 }, async (row, { expect }) => {
    const { what, way } = row;
    const farmer = addAccount(ROWS.indexOf(row));
    const { token } = farmer;
    const id = String(farmer.account.id);
    const session = await look(token);
    const settings = buildDisplaySettings({ pages: ["overview"] });
    const paired = await pairDisplay(here.origin, settings, { token });
    const display = await look(paired.token);
    await expect.poll(() => isOwn(id), SOON).toBe(true);
    expect((await here.call("GET", "/relay/alarms", undefined, token)).status).toBe(200);

    const entity = what === "another password" ? "password" : "account";
    const [method, path] = THROUGH[what](id);
    const byAdministrator = path.startsWith("/api/v1/admin/");
    if (way === "a call through the relay") {
      // The fake API carries out a deletion and a log-out by itself.
      if (what === "another password" || what === "suspension") happen(what, farmer);
      const answer = await here.call(method, path, undefined, byAdministrator ? ADMIN_TOKEN : token);
      expect(answer.status).toBe(204);
    } else {
      happen(what, farmer);
      if (way === "a message")
        here.app.services.ends.message(id, Buffer.from(JSON.stringify({ entity, id })));
      // A message has no time: which displays were paired before another password, the poll says.
      if (way === "a poll of ended tokens" || (way === "a message" && what === "another password"))
        api.accessChanges.push({ userId: id, entity, at: new Date().toISOString() });
      if (what === "token ended") await here.call(method, path, undefined, token);
    }

    const after = AFTER[what];
    expect(after.session).toContain(await session.gone);
    await expect
      .poll(async () => (await there.call("GET", "/relay/alarms", undefined, token)).status, SOON)
      .toBe(after.call);
    await expect.poll(() => isOwn(id), SOON).toBe(after.own);
    if (after.display !== "stays") {
      expect(await display.gone).toBe(after.display);
      return;
    }
    // It still reads.
    display.say({ t: "unsubscribe", stream: "devices" });
    display.say({ t: "subscribe", stream: "devices" });
    await display.next("snapshot");
  });
});

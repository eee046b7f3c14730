import { tokenRefresh } from "@mulkko/shared/rest/operations/account";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { foundSingle } from "../../testing/any-documents.ts";
import {
  ACCOUNT,
  type ClusterNode,
  createClusterApi,
  ownsAccount,
  shareAmong,
  startClusterNode,
} from "../../testing/cluster-harness.ts";
import type { FakeUpstream } from "../../testing/fake-upstream.ts";
import { newPrefix } from "../../testing/redis-harness.ts";
import { until } from "../../testing/until.ts";
import { sessionPairOf } from "../access/own-sessions.ts";
import { SESSIONS } from "../access/vault.ts";

const { accountId } = ACCOUNT;

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let api: FakeUpstream;
let owner: ClusterNode;
let other: ClusterNode;
let nodes: ClusterNode[];

/** Two nodes in front of a plain API. */
beforeEach(async () => {
  api = createClusterApi();
  const prefix = newPrefix();
  nodes = ["a", "b"].map((name) => startClusterNode(name, { url: redis.url, prefix, api, extensions: [] }));
  await shareAmong(nodes);
  const [first, second] = nodes;
  if (!first || !second) throw new Error("two nodes were started");
  [owner, other] = ownsAccount(first) ? [first, second] : [second, first];
  await Promise.all(nodes.map((node) => node.owners.resume()));
});
afterEach(() => Promise.all(nodes.map((node) => node.close())));

const pair = (n: number, now = Date.now()) =>
  sessionPairOf(
    { accessToken: `access-${n}`, refeshToken: `refresh-${n}` },
    { now: () => now },
    { offsetMs: 0 },
  );
const tokens = () =>
  new Set(api.calls.filter(({ path }) => path === sensorList.path).map(({ options }) => options.token));
const state = (node: ClusterNode) => node.owners.watch.request(accountId, "state");

test("[CRED-1] a login on one node becomes the other's session if that one owns the account", async () => {
  await other.owners.watch.signedIn(accountId, pair(1));
  expect([owner, other].map((node) => node.owners.stats().accounts)).toEqual([1, 0]);
  expect([...tokens()]).toEqual(["access-1"]);
  expect(await Promise.all([owner, other].map(state))).toEqual(
    Array(2).fill({ by: "sign-in", ended: null, mayStart: false }),
  );
  expect(await foundSingle(owner.store.documents(accountId), SESSIONS)).not.toMatch(/access|refresh/);
});

test("[CRED-1] a session moves with its account's shard, and only the new owner refreshes it", async () => {
  // Its access token has ended: the next request has to refresh it.
  api.answer(tokenRefresh.path, { accessToken: "access-2", refreshToken: "refresh-2" });
  await other.owners.watch.signedIn(accountId, pair(1, Date.now() - 3_600_000));
  expect([...tokens()]).toEqual(["access-2"]);
  await owner.close();
  nodes = [other];
  await until(() => ownsAccount(other) && other.owners.stats().accounts === 1);
  expect(await state(other)).toMatchObject({ by: "sign-in" });
  other.owners.written(accountId, "/api/v1/sensor/update/1");
  await until(() => api.count(sensorList.path) > 1);
  expect([...tokens()]).toEqual(["access-2"]);
  expect(api.count(tokenRefresh.path)).toBe(1);
});

test("[CRED-1] stop watching on any node ends it on all, and no node starts the account again", async () => {
  await owner.owners.watch.signedIn(accountId, pair(1));
  expect(await other.owners.watch.request(accountId, "stop")).toMatchObject({
    by: "nobody",
    ended: "stopped",
  });
  expect(await state(owner)).toMatchObject({ by: "nobody", ended: "stopped" });
  expect(await owner.store.watchedAccounts()).toEqual([]);
});

import type { Extension } from "@mulkko/shared/rest/capabilities";
import { adminDevices } from "@mulkko/shared/rest/operations/admin";
import { relayAccounts } from "@mulkko/shared/rest/operations/relay-calls";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changed } from "../../testing/any-documents.ts";
import {
  ACCOUNT,
  type ClusterNode,
  createClusterApi,
  shareAmong,
  shown,
  startClusterNode,
} from "../../testing/cluster-harness.ts";
import type { FakeUpstream } from "../../testing/fake-upstream.ts";
import { newPrefix } from "../../testing/redis-harness.ts";
import { until } from "../../testing/until.ts";
import { PRESENCE } from "../account/device-memory.ts";
import type { FleetViewer } from "../fleet/fleet-service.ts";
import type { Documents } from "../store/documents.ts";
import { FLEET, SHARDS, shardOf } from "../store/shard.ts";
import type { AccountStore, Store } from "../store/store.ts";
import { stateOf } from "../store/streams.ts";

const SENSOR = String(buildSensor().id);
const KEY = `device:${SENSOR}`;
const SUM = `account:${ACCOUNT.accountId}`;

const DEVICE = {
  ...{ id: SENSOR, kind: "sensor", userId: ACCOUNT.accountId, username: "farmer" },
  ...{ name: "Soil 1", deviceType: "SMS", serial: 100001, latestLog: null },
};

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let api: FakeUpstream;
let prefix: string;
let nodes: ClusterNode[];
/** The node that owns the fleet; the other node does not. */
let owner: ClusterNode;
let other: ClusterNode;

async function startNodes(extensions: Extension[]): Promise<void> {
  prefix = newPrefix();
  nodes = ["a", "b"].map((name) => startClusterNode(name, { url: redis.url, prefix, api, extensions }));
  await shareAmong(nodes);
  const [first, second] = nodes;
  if (!first || !second) throw new Error("two nodes were started");
  [owner, other] = first.store.shards.owns(shardOf(FLEET)) ? [first, second] : [second, first];
}
/** Return an account whose shard the node owns. */
function idOn({ store }: ClusterNode): string {
  for (let n = 0; n < 1_000; n += 1) if (store.shards.owns(shardOf(`farm-${n}`))) return `farm-${n}`;
  throw new Error("a node has half of the shards");
}

beforeEach(async () => {
  api = createClusterApi();
  api.answer(adminDevices.path, {
    content: [DEVICE],
    totalElements: 1,
  });
  await startNodes(["relay-session", "admin-fleet"]);
});
afterEach(() => Promise.all(nodes.map((node) => node.close())));

const fleetOf = (viewer: FleetViewer) => stateOf(viewer.stream);
/** Publish a reading as the API's broker does, to every node. */
function publish(battery: number): void {
  const at = new Date().toISOString();
  const entry = { ...buildLogEntry({ createdDate: at, battery }), at, receivedAt: at };
  const payload = Buffer.from(JSON.stringify(entry));
  const topic = { kind: "sensor", userId: ACCOUNT.accountId, id: SENSOR } as const;
  for (const { owners } of nodes) owners.receive({ topic, payload, arrivedAt: Date.now() });
}

describe("the fleet on two nodes", () => {
  test("[NODE-5] is one stream, listed once for all administrators on all nodes", async () => {
    const viewers = await Promise.all(
      [other, owner, other].map(({ owners }, n) => owners.fleet.view(`admin-${n}`)),
    );
    const [there, here] = viewers;
    if (!there || !here) throw new Error("three looked");
    expect(api.count(adminDevices.path)).toBe(1);
    expect(fleetOf(there)).toEqual(fleetOf(here));
    expect([there.stream.epoch, there.stream.offset]).toEqual([here.stream.epoch, here.stream.offset]);
    expect(fleetOf(there)[KEY]).toMatchObject({ name: "Soil 1", username: "farmer", quality: null });
  });

  test("[NODE-5] reports of an account's owner reach administrators on both nodes, in the same bytes", async () => {
    const there = await other.owners.fleet.view("admin-1");
    const here = await owner.owners.fleet.view("admin-2");
    await other.owners.view(ACCOUNT, "t1");
    await until(() => fleetOf(there)[SUM]?.watched === true);
    const received: string[] = [];
    const same: string[] = [];
    there.stream.listen((frame) => received.push(frame.bytes.toString()));
    here.stream.listen((frame) => same.push(frame.bytes.toString()));
    publish(7);
    await until(() => fleetOf(there)[KEY]?.battery === 7);
    await until(() => received.length === same.length);
    expect(received).toEqual(same);
    expect(received.join()).toContain('"stream":"fleet"');
  });

  test("[NODE-1] a position from one node resumes on the other", async () => {
    const here = await owner.owners.fleet.view("admin");
    const position = { epoch: here.stream.epoch, offset: here.stream.offset };
    await owner.owners.view(ACCOUNT, "t1");
    await until(() => fleetOf(here)[SUM]?.watched === true);
    const there = await other.owners.fleet.view("admin");
    expect(there.stream.changesSince(position)).toMatchObject({
      kind: "resume",
      set: { [SUM]: { watched: true } },
    });
  });

  test("[NODE-5] another owner continues in the same epoch, lists nothing twice, and gets complete reports", async () => {
    const there = await other.owners.fleet.view("admin");
    await other.owners.view(ACCOUNT, "t1");
    await until(() => fleetOf(there)[SUM]?.watched === true);
    const { epoch } = there.stream;
    await owner.close();
    nodes = [other];
    await until(() => other.store.shards.owns(shardOf(FLEET)));
    await until(() => {
      // The account may still be on its way to its new owner.
      publish(9);
      return fleetOf(there)[KEY]?.battery === 9 && fleetOf(there)[SUM]?.watched === true;
    });
    expect(there.stream.epoch).toBe(epoch);
    expect(api.count(adminDevices.path)).toBe(1);
  });

  test("[NODE-5] an account is reported to the fleet once its owner has restored it", async () => {
    await other.owners.view(ACCOUNT, "t1");
    await Promise.all(nodes.map((node) => node.close()));
    const asked = Promise.withResolvers<void>();
    const restored = Promise.withResolvers<void>();
    const speaking = (store: Store): Store =>
      Object.create(store, {
        claim: {
          value: async (accountId: string): Promise<AccountStore> => {
            const account = await store.claim(accountId);
            if (accountId === FLEET) return account;
            const { documents } = account;
            const list: Documents["list"] = async (of) => {
              if (of.name === PRESENCE.name) {
                asked.resolve();
                await restored.promise;
              }
              return documents.list(of);
            };
            return { ...account, documents: changed(documents, { list }) };
          },
        },
      });
    const extensions: Extension[] = ["relay-session", "admin-fleet"];
    const node = startClusterNode("c", { url: redis.url, prefix, api, extensions, speaking });
    nodes = [node];
    await until(() => node.store.shards.owned() === SHARDS);
    const fleet = await node.owners.fleet.view("admin");
    const viewing = node.owners.view(ACCOUNT, "t1");
    await asked.promise;
    await until(() => fleetOf(fleet)[SUM] !== undefined);
    expect(fleetOf(fleet)[SUM]).not.toMatchObject({ watched: true });
    restored.resolve();
    await viewing;
    await until(() => fleetOf(fleet)[SUM]?.watched === true);
    expect(node.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("[NODE-5] an absent node's accounts no longer count as watched", async () => {
    await Promise.all(nodes.map((node) => node.close()));
    // Without sessions of the relay no other node starts the account again.
    await startNodes(["admin-fleet"]);
    const accountId = idOn(other);
    const here = await owner.owners.fleet.view("admin");
    const sum = `account:${accountId}`;
    const listed = { ...DEVICE, userId: accountId };
    api.answer(adminDevices.path, { content: [listed], totalElements: 1 });
    owner.owners.written("the-administrator", "/api/v1/admin/sensor/update");
    await other.owners.view({ ...ACCOUNT, accountId }, "t1");
    await until(() => fleetOf(here)[sum]?.watched === true);
    other.pause();
    await until(() => fleetOf(here)[sum]?.watched === false, 40_000);
    expect(fleetOf(here)[KEY]).toMatchObject({ battery: 88, account: accountId });
  });

  test("[POLL-8] an administrator's write on one node is known to the fleet's owner on the other", async () => {
    await owner.owners.fleet.view("admin");
    other.owners.written("the-administrator", "/api/v1/admin/sensor/update");
    await until(() => api.count(adminDevices.path) === 2);
  });

  test("[fleet] heartbeats are available on both nodes", async () => {
    const here = await owner.owners.fleet.view("admin");
    await other.owners.view(ACCOUNT, "t1");
    await until(() => fleetOf(here)[SUM]?.watched === true);
    publish(5);
    await until(() => fleetOf(here)[KEY]?.battery === 5);
    for (const node of nodes) {
      const { beats } = await node.owners.fleet.beats("admin", [SENSOR]);
      expect(beats[SENSOR]?.at(-1)).toBe("1");
    }
  });

  test("[HS-2] another account is read with its own session, never with the administrator's token", async () => {
    const views = await Promise.all(nodes.map(({ owners }) => owners.viewAs(ACCOUNT.accountId)));
    for (const view of views) expect(shown(view)).toHaveProperty([`sensor:${SENSOR}`]);
    const tokens = new Set(
      api.calls.filter(({ path }) => path === sensorList.path).map(({ options }) => options.token),
    );
    expect([...tokens]).toEqual(["relay-token"]);
  });

  test("[WATCH-1] the accounts of both nodes are watched, and all by the one that stays", async () => {
    const accounts = nodes.map((node) => ({ userId: idOn(node), devices: 1, disabled: false }));
    api.answer(relayAccounts.path, { accounts, next: null });
    await Promise.all(nodes.map((node) => node.close()));
    await startNodes(["relay-session", "relay-accounts", "admin-fleet"]);
    const watched = () => nodes.map((node) => node.owners.stats().accounts);
    await until(() => watched().reduce((sum, count) => sum + count, 0) === accounts.length);
    await owner.close();
    nodes = [other];
    // The node that stays lists from now on, and has the accounts begin.
    await until(() => other.owners.stats().accounts === accounts.length);
  });

  test("[CMD-21] an administrator's close reaches the owner on another node, with its reason", async () => {
    const accountId = idOn(other);
    const service = await owner.owners.service({ accountId }, undefined);
    const administrator = { reason: "Runs since 03:10" };
    const valve = { controllerId: "c1", number: 1, command: "onoff", payload: 2, target: 2 } as const;
    await service.command({
      ...{ commandId: "close-1", ...valve, form: "controller", token: "admin" },
      ...{ administrator, by: { id: "root", nickname: "Overseer" }, origin: "screen", traceId: "t" },
    });
    expect(other.commands).toMatchObject([{ commandId: "close-1", target: 2, administrator }]);
  });

  test("[HS-2] the token of an account's own session is available on both nodes", async () => {
    for (const { owners } of nodes) {
      expect(await owners.ownToken(ACCOUNT.accountId)).toBe("relay-token");
    }
  });
});

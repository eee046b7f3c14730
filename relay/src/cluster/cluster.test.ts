import { controllerCommand, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import { buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  ACCOUNT,
  type ClusterNode,
  createClusterApi,
  ownsAccount,
  shareAmong,
  shown,
  startClusterNode,
} from "../../testing/cluster-harness.ts";
import type { FakeUpstream } from "../../testing/fake-upstream.ts";
import { newPrefix } from "../../testing/redis-harness.ts";
import { until } from "../../testing/until.ts";
import { UpstreamUnreachableError } from "../upstream/errors.ts";
import type { CommandRequest } from "../valves/commands.ts";

const SENSOR = sensorKey(buildSensor().id);

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let api: FakeUpstream;
let owner: ClusterNode;
let other: ClusterNode;
let prefix: string;
let nodes: ClusterNode[];

beforeEach(async () => {
  api = createClusterApi();
  prefix = newPrefix();
  nodes = ["a", "b"].map((name) => startClusterNode(name, { url: redis.url, prefix, api }));
  await shareAmong(nodes);
  const [first, second] = nodes;
  if (!first || !second) throw new Error("two nodes were started");
  [owner, other] = ownsAccount(first) ? [first, second] : [second, first];
});
afterEach(() => Promise.all(nodes.map((node) => node.close())));

/** Publish a reading as the API's broker does, to every node. */
function publish(moisture: number, at = new Date().toISOString()): void {
  const entry = { ...buildLogEntry({ createdDate: at, moisture }), at, receivedAt: at };
  const payload = Buffer.from(JSON.stringify(entry));
  const topic = { kind: "sensor", userId: ACCOUNT.accountId, id: String(buildSensor().id) } as const;
  for (const { owners } of nodes) owners.receive({ topic, payload, arrivedAt: Date.now() });
}
const press = (commandId: string, target: 1 | 2): CommandRequest => ({
  commandId,
  controllerId: "c1",
  number: 1,
  command: "onoff",
  payload: target,
  target,
  maxRunSeconds: 600,
  by: { id: "u1", nickname: "Kim" },
  token: "token-of-kim",
  form: "controller",
  origin: "screen",
  traceId: "trace",
});
const moistureOf = (viewer: Parameters<typeof shown>[0]): unknown => {
  const reading = shown(viewer)[SENSOR]?.reading;
  return typeof reading === "object" && reading !== null && "moisture" in reading ? reading.moisture : null;
};

describe("an account on two nodes", () => {
  test("[NODE-1] has the same state on both, by the same steps of the same epoch", async () => {
    const there = await other.owners.view(ACCOUNT, "t1");
    const here = await owner.owners.view(ACCOUNT, "t2");
    const received: string[] = [];
    there.devices.listen((frame) => received.push(frame.bytes.toString()));
    const same: string[] = [];
    here.devices.listen((frame) => same.push(frame.bytes.toString()));
    publish(31.5);
    await until(() => moistureOf(there) === 31.5);
    expect(shown(there)).toEqual(shown(here));
    expect([there.devices.epoch, there.devices.offset]).toEqual([here.devices.epoch, here.devices.offset]);
    expect(received).toEqual(same);
  });

  test("[NODE-1] a position from one node resumes on the other", async () => {
    const here = await owner.owners.view(ACCOUNT, "t2");
    const position = { epoch: here.devices.epoch, offset: here.devices.offset };
    publish(12);
    await until(() => moistureOf(here) === 12);
    const there = await other.owners.view(ACCOUNT, "t1");
    expect(there.devices.changesSince(position)).toMatchObject({
      kind: "resume",
      set: { [SENSOR]: { reading: { moisture: 12 } } },
    });
  });

  test("[POLL-1] is requested once for any number of viewers on any node", async () => {
    const views = [other, other, owner, other].map((node, at) => node.owners.view(ACCOUNT, `t${at}`));
    await Promise.all(views);
    const lists = [sensorList.path, controllerList.path, clusterList.path];
    expect(lists.map((path) => [path, api.count(path)])).toEqual(lists.map((path) => [path, 1]));
    expect(owner.owners.stats()).toMatchObject({ accounts: 1 });
    expect(other.owners.stats()).toMatchObject({ accounts: 0, viewers: 3 });
  });

  test("[NODE-5] is commanded through its owner, with the token of the person who gave the command", async () => {
    const service = await other.owners.service(ACCOUNT, "token-of-kim");
    const outcome = await service.command(press("c1", 1));
    expect(outcome).toEqual({
      ok: true,
      record: { commandId: "c1", state: "accepted", target: 1, until: null },
    });
    expect(owner.commands).toMatchObject([{ commandId: "c1", token: "token-of-kim", maxRunSeconds: 600 }]);
    expect(other.commands).toEqual([]);
    expect(await service.closeAll({ ...press("x", 2), jobId: "j1", farmId: null })).toEqual({
      ok: true,
      jobId: "j1",
      channels: [],
    });
    expect(await service.commands({ from: 0 })).toEqual([]);
    expect(await service.commands({ from: 0, to: 5, farmId: "unknown" })).toBeNull();
  });

  test("[RUN-1] changes settings through its owner, which knows the account's devices", async () => {
    const settings = await other.owners.settings(ACCOUNT, "t1");
    expect(
      await settings.change({ change: { about: "channel", id: "11", defaultRunSeconds: 300 } }),
    ).toMatchObject({
      ok: true,
      settings: { channels: { "11": { defaultRunSeconds: 300 } } },
    });
    expect(await settings.change({ change: { about: "channel", id: "99", defaultRunSeconds: 300 } })).toEqual(
      {
        ok: false,
        why: "unknown",
      },
    );
    const here = await owner.owners.settings(ACCOUNT, "t2");
    expect(await here.get()).toEqual(await settings.get());
  });

  test("[POLL-8] a write through one node makes the other's lists due", async () => {
    await owner.owners.view(ACCOUNT, "t1");
    other.owners.written(ACCOUNT.accountId, "/api/v1/sensor/update/1");
    await until(() => api.count(sensorList.path) === 2);
  });

  test("[NODE-5] an owner's failure to read the account is reported on the other node as well", async () => {
    api.answer(
      sensorList.path,
      new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false }),
    );
    await expect(other.owners.view(ACCOUNT, "t1")).rejects.toThrow("away");
  });

  test("[NODE-5] continues at the other node when its owner is paused for longer than its lease", async () => {
    const there = await other.owners.view(ACCOUNT, "t1");
    publish(20);
    await until(() => moistureOf(there) === 20);
    const { epoch, offset } = there.devices;
    const asked = api.count(sensorList.path);
    owner.pause();
    await until(() => ownsAccount(other), 30_000);
    await until(() => other.owners.stats().accounts === 1);
    nodes = nodes.filter((node) => node !== owner);
    publish(21);
    await until(() => moistureOf(there) === 21);
    expect(there.devices.epoch).toBe(epoch);
    expect(there.devices.offset).toBeGreaterThan(offset);
    expect(api.count(sensorList.path)).toBe(asked);
    nodes.push(owner);
  });

  test("[LIVE-3] continues at the other node at once when its owner shuts down", async () => {
    const there = await other.owners.view(ACCOUNT, "t1");
    const { epoch } = there.devices;
    await owner.close();
    nodes = nodes.filter((node) => node !== owner);
    await until(() => other.owners.stats().accounts === 1);
    publish(22);
    await until(() => moistureOf(there) === 22);
    expect(there.devices.epoch).toBe(epoch);
    expect(api.count(sensorList.path)).toBe(1);
  });

  test("[NODE-3] without the store any node closes at once, and opens nothing", async () => {
    await owner.owners.view(ACCOUNT, "t1");
    const there = await other.owners.view(ACCOUNT, "t2");
    const before = shown(there);
    await redis.freeze();
    try {
      await until(() => nodes.every(({ store }) => !store.available));
      const service = await other.owners.service(ACCOUNT, "token-of-kim");
      expect(await service.command(press("open-1", 1))).toMatchObject({
        ok: false,
        status: 503,
        code: "store-down",
      });
      expect(await service.command(press("close-1", 2))).toMatchObject({
        ok: true,
        record: { state: "accepted" },
      });
      expect(await service.closeAll({ ...press("x", 2), jobId: "j1", farmId: null })).toMatchObject({
        ok: true,
        channels: [{ channelId: "11", state: "accepted" }],
      });
      const sent = api.calls.filter(({ path }) => path === controllerCommand.path);
      expect(sent).toHaveLength(2);
      expect(sent[0]?.options).toMatchObject({ token: "token-of-kim", json: { payload: 2 } });
      expect(shown(there)).toEqual(before);
      // Its owner continues with its state in memory, for the ends of runs.
      expect(await owner.owners.service(ACCOUNT, "t1")).toBeDefined();
    } finally {
      await redis.thaw();
    }
    await until(() => nodes.every(({ store }) => store.available));
    publish(33);
    await until(() => moistureOf(there) === 33);
  });

  test("[CRED-1] a node with another secret reads no token of this one", async () => {
    await other.close();
    const stranger = startClusterNode("c", {
      url: redis.url,
      prefix,
      api,
      secret: "another-secret-of-the-relay-0123",
    });
    nodes = [owner, stranger];
    await shareAmong(nodes);
    const [asking, answering] = ownsAccount(stranger) ? [owner, stranger] : [stranger, owner];
    await answering.owners.view(ACCOUNT, "t1");
    const service = await asking.owners.service(ACCOUNT, "t1");
    await expect(service.command(press("c9", 2))).rejects.toThrow(/RELAY_SECRET/);
    expect(answering.commands).toEqual([]);
  });
});
